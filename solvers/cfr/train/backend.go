package train

import (
	"context"
	"errors"
	"fmt"
	"io"

	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/strategy"
)

// Trainer is an algorithm at work on a game. Some have abilities beside: to count their threads, to keep small
// checkpoints, to begin with the strategy of another training, or to do several iterations at once.
type Trainer interface {
	Learner
	checkpoint.State
	// Save writes the average strategy to a file.
	Save(path string, m strategy.Meta) error
}

// backend is a game laid out for the algorithms of a family, which trains on the CPU or on devices. Whoever calls it
// never asks which one it is.
type backend interface {
	// layout describes the game, and where it may train.
	layout() *laidOut
	// bytes returns the size of regrets and strategies on as many devices, or on the CPU for none.
	bytes(devices int) int64
	// start makes the trainer, on devices if there are any. It is called once, and again without devices if it fails.
	start(devices []*cudalib.Device) (Trainer, error)

	// The others are called after the start.

	// CanEvaluate, Evaluate and EvaluateCurrent are those of a [Training].
	CanEvaluate() bool
	Evaluate() publictree.Evaluation
	EvaluateCurrent() publictree.Evaluation
	// respond learns a response to the average strategy, or returns nil where that is evaluated, or memory is short.
	// progress, if not nil, is called with the part that is done. When ctx is done it stops, and returns the cause.
	respond(ctx context.Context, progress func(part float64)) (*Response, error)
}

// laidOut is what is known of a game before it is trained. As a part of a backend it says that strategies are always
// evaluated.
type laidOut struct {
	spec      Spec   // has the algorithm that was chosen
	algorithm string // its name in files
	cards     string // name of the card abstraction, with its parameters
	infoSets  int

	devices    int    // how many can share the work; none if it is for the CPU
	worthwhile bool   // whether a device is likely to be faster
	reason     string // why it is or is not, or the work is for the CPU
	where      string // where the game is trained in words; at first the CPU, for work that is for it
}

func (l *laidOut) layout() *laidOut                                          { return l }
func (l *laidOut) CanEvaluate() bool                                         { return true }
func (l *laidOut) respond(context.Context, func(float64)) (*Response, error) { return nil, nil }

// choose opens the devices for a game: none for the CPU. With a choice of any device it is the CPU where a GPU would
// not be faster.
func (l *laidOut) choose(c cudalib.Choice) (devices []*cudalib.Device, err error) {
	switch {
	case l.devices == 0 && c.GPU():
		return nil, &Error{FieldDevice, fmt.Errorf("%v was asked for, and %s", c, l.reason)}
	case l.devices == 0:
		return nil, nil
	case l.devices == 1 && c == cudalib.AllGPUs():
		return nil, cudalib.ErrOneDevice
	}
	devices, l.where, err = c.If(l.worthwhile, l.reason).OpenAll()
	if len(devices) > l.devices {
		l.where = fmt.Sprintf("%d of %s: %s uses no more", l.devices, l.where, l.algorithm)
		devices, err = devices[:l.devices], cudalib.CloseAll(devices[l.devices:])
	}
	return devices, err
}

// Training is an algorithm at work on a game, with its description. It is used
// by one goroutine at a time.
type Training struct {
	Trainer
	backend
	Spec     Spec   // has the algorithm that was chosen
	Cards    string // name of the card abstraction, with its parameters
	InfoSets int
	Bytes    int64 // size of regrets and strategies; in package pcs a batch counts, too
	devices  []*cudalib.Device
	threads  int
}

// Options are the resources of a training. Results do not depend on them.
type Options struct {
	Threads int   // 1 if not set
	Memory  int64 // bytes that may be used, by default those available
	// OnPrepare, if not nil, is called with the part that is done while cards are
	// prepared, which may take seconds.
	OnPrepare func(part float64)
}

// Open returns a training on the CPU that has done no iteration. Errors in the description are
// of type [*Error]. A game that does not fit in memory is refused, with a
// [*policy.SizeError] where its size is known.
func Open(s Spec, o Options) (*Training, error) { return OpenOn(cudalib.CPU(), s, o) }

// OpenOn is Open on the device of a choice: the CPU if any will do and a GPU would not be faster, or has no room.
// Close frees the device.
func OpenOn(c cudalib.Choice, s Spec, o Options) (*Training, error) {
	o.Threads = max(1, o.Threads)
	if o.Memory == 0 {
		o.Memory = memory.Available()
	}
	s, err := s.complete()
	if err != nil {
		return nil, err
	}
	layOut := layOutTree
	if s.Tree == nil {
		layOut = s.Algorithm.layOut
	}
	b, err := layOut(s, o)
	if err != nil {
		return nil, err
	}
	l := b.layout()
	devices, err := l.choose(c)
	if err != nil {
		return nil, err
	}
	trainer, err := b.start(devices)
	if err != nil && len(devices) > 0 {
		if err = errors.Join(err, cudalib.CloseAll(devices)); c.GPU() {
			return nil, err
		}
		devices, l.where = nil, "the CPU: "+err.Error()
		trainer, err = b.start(nil)
	}
	if err != nil {
		return nil, err
	}
	return &Training{Trainer: trainer, backend: b, Spec: l.spec, Cards: l.cards, InfoSets: l.infoSets,
		Bytes: b.bytes(len(devices)), devices: devices, threads: o.Threads}, nil
}

// CanEvaluate reports whether Evaluate is possible: card abstractions that lose information, and games too large
// for vectors over all cards, have no exact best responses.
func (t *Training) CanEvaluate() bool { return t.backend.CanEvaluate() }

// Evaluate values the average strategy. The evaluation is empty where that is not possible.
func (t *Training) Evaluate() publictree.Evaluation { return t.backend.Evaluate() }

// EvaluateCurrent values the current strategy, which matches the regrets and is that of the next iteration. The
// evaluation is empty where only the average strategy is evaluated: for algorithms in vector form on a GPU.
func (t *Training) EvaluateCurrent() publictree.Evaluation { return t.backend.EvaluateCurrent() }

// Threads returns how many threads the training uses.
func (t *Training) Threads() int {
	if s, ok := t.Trainer.(interface{ Threads() int }); ok {
		return s.Threads()
	}
	return t.threads
}

// Algorithm returns the name of the algorithm in files.
func (t *Training) Algorithm() string { return t.layout().algorithm }

// AverageUtility returns the chips that every position has won in the mean of all
// iterations, or nil for algorithms that do not measure it.
func (t *Training) AverageUtility() []float64 {
	if u, ok := t.Trainer.(interface{ AverageUtility() []float64 }); ok {
		return u.AverageUtility()
	}
	return nil
}

// Close frees the training's memory on devices. It is called once.
func (t *Training) Close() (err error) {
	if c, ok := t.Trainer.(io.Closer); ok {
		err = c.Close()
	}
	return errors.Join(err, cudalib.CloseAll(t.devices))
}
