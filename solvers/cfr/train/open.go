package train

import (
	"errors"
	"fmt"
	"runtime/debug"

	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/cfrbr"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/cfr/pcs"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

// Trainer is an algorithm at work on a game.
type Trainer interface {
	// Step does one iteration, or one batch of them.
	Step()
	// Iterations returns the number of iterations done.
	Iterations() uint64
	checkpoint.State
	// Save writes the average strategy to a file.
	Save(path string, m strategy.Meta) error
}

// sampler is a trainer that samples deals.
type sampler interface {
	Trainer
	Weights() []float32
	NewResponse(seed uint64) (*mccfr.Response, error)
}

// deviceSampler is a sampler that holds memory of a device.
type deviceSampler interface {
	sampler
	Close() error
}

// Training is an algorithm at work on a game, with its description. It is used
// by one goroutine at a time.
type Training struct {
	Trainer
	Spec     Spec   // has the algorithm that was chosen
	Cards    string // name of the card abstraction, with its parameters
	InfoSets int
	Bytes    int64 // size of regrets and strategies; in package pcs a batch counts, too

	evaluate func() publictree.Evaluation // nil where a strategy cannot be evaluated
	current  func() publictree.Evaluation // evaluates the current strategy of an extensive game, else nil
	// value evaluates the strategy that weights of all entries describe, on the CPU. It is nil
	// where that is not possible.
	value    func(weights []float32) publictree.Evaluation
	cadence  cadence        // when to evaluate
	inGame   bool           // whether only the sum of an evaluation's values is known
	responds bool           // whether there is the memory for a response
	release  []func() error // free the memory of a device

	evaluator *publictree.Evaluator // nil for algorithms that sample

	// Of algorithms that sample: the trainer, and how to move it to a device. to is
	// nil for those that train on the CPU only. worthwhile is set where a device is
	// likely to be faster, and reason explains it.
	sampler    sampler
	to         func(devices []*cudalib.Device) (deviceSampler, error)
	atOnce     int // n devices that can share the work, 0 as 1
	worthwhile bool
	reason     string
	game       *mccfr.Game

	tooLarge error // why only a device can train the game, or nil
}

// Options are the resources of a training. Results do not depend on them.
type Options struct {
	Threads int   // 1 if not set
	Memory  int64 // bytes that may be used, by default those available
	// OnPrepare, if not nil, is called with the part that is done while cards are
	// prepared, which may take seconds.
	OnPrepare func(part float64)
	// OnDevice is set for a training that MoveToDevice may move to a GPU. Then a game may be
	// opened that only a GPU can train.
	OnDevice bool
}

// Open returns a training that has done no iteration. Errors in the description are
// of type [*Error]. A game that does not fit in memory is refused, with a
// [*policy.SizeError] where its size is known.
func Open(s Spec, o Options) (*Training, error) {
	o.Threads = max(1, o.Threads)
	if o.Memory == 0 {
		o.Memory = memory.Available()
	}
	t := &Training{Spec: s.WithDefault(), cadence: often}
	if err := t.Spec.check(); err != nil {
		return nil, err
	}
	if t.Spec.Tree != nil {
		return t, t.openTree(o)
	}
	if t.Spec.Algorithm.IsVector() {
		return t, t.openVector(o)
	}
	return t, t.openSampler(o)
}

// Threads returns how many of the threads the training uses.
func (t *Training) Threads(threads int) int {
	if s, ok := t.Trainer.(interface{ Threads() int }); ok {
		return s.Threads()
	}
	if t.Spec.Tree != nil {
		return 1
	}
	return threads
}

// Algorithm returns the name of the algorithm in files.
func (t *Training) Algorithm() string {
	if t.Spec.Tree != nil {
		return t.Spec.Algorithm.ofTree()
	}
	if p, ok := t.Trainer.(*pcs.Pair); ok {
		return p.Algorithm()
	}
	return t.Spec.Algorithm.String()
}

// openVector makes the trainer of an algorithm in vector form.
func (t *Training) openVector(o Options) error {
	s := &t.Spec
	kind, err := abstraction.ParseKind(s.Cards)
	if err != nil {
		return err
	}
	layout, err := publictree.Prepare(s.Game, s.Actions, kind, o.Memory)
	if err != nil {
		return err
	}
	if err := s.Algorithm.Vector().Fits(layout, o.Memory); err != nil {
		return err
	}
	var trainer interface {
		Trainer
		Weights() []float32
	}
	if a := s.Algorithm.Vector(); a.Double {
		trainer = cfr.NewDouble(layout, a, o.Threads)
	} else {
		trainer = cfr.NewTrainer(layout, a, o.Threads)
	}
	t.evaluator = publictree.NewEvaluator(layout, o.Threads)
	t.Trainer, t.Cards = trainer, kind.String()
	t.InfoSets, t.Bytes = layout.InfoSets(), 2*int64(s.Algorithm.bits()/8)*int64(layout.Entries)
	t.value = t.evaluator.Evaluate
	t.evaluate = func() publictree.Evaluation { return t.value(trainer.Weights()) }
	return nil
}

// openSampler makes the trainer of an algorithm that samples.
func (t *Training) openSampler(o Options) error {
	s := &t.Spec
	buckets, err := cfr.OpenSampled(s.GameSpec, s.Algorithm.bits(), o.Memory, o.OnPrepare)
	if err != nil {
		return err
	}
	game, err := mccfr.NewGame(s.Game, s.Actions, buckets)
	if err != nil {
		return err
	}
	// What laying it out has left has no room for tables, and would come on top of them.
	debug.FreeOSMemory()
	t.game = game
	s.Algorithm = s.Algorithm.sizedFor(game)
	t.Cards, t.InfoSets = buckets.Name(), game.InfoSets()
	t.Bytes = 2 * int64(game.Entries) * int64(s.Algorithm.bits()/8)
	if err := s.Algorithm.open(t, s.Algorithm, opening{o, game}); err != nil {
		return err
	}
	t.Trainer = t.sampler
	responses := 3 * 4 * int64(game.Entries) // its regrets, and of some algorithms the strategy in two orders
	t.responds = t.Bytes+responses <= o.Memory
	return t.openEvaluator(o)
}

// openEvaluator lets the strategies of a sampler be evaluated if the game is not too
// large for that.
func (t *Training) openEvaluator(o Options) error {
	if !t.Spec.Actions.HasFullTree(t.Spec.Game) {
		return nil
	}
	kind, err := abstraction.ParseKind(t.Spec.Cards)
	if err != nil {
		//lint:ignore nilerr cards of a file are no kind, and not evaluated
		return nil
	}
	layout, err := publictree.Prepare(t.Spec.Game, t.Spec.Actions.Remembering(), kind, o.Memory)
	if errors.As(err, new(*policy.SizeError)) {
		return nil
	}
	if err != nil {
		return err
	}
	t.value = publictree.NewEvaluator(layout, o.Threads).Evaluate
	t.evaluate = func() publictree.Evaluation { return t.value(t.sampler.Weights()) }
	if !t.Spec.Actions.IsForgetful() {
		t.InfoSets = layout.InfoSets() // without the padding of vectors
	}
	return nil
}

// compact makes checkpoints small at the cost of precision, see [pcs.Tables.Compact]. Errors
// are of type [*Error].
func (t *Training) compact() error {
	c, ok := t.Trainer.(interface{ Compact() })
	if !ok {
		return &Error{FieldCompact, fmt.Errorf("%v has no compact checkpoints: want %s, %s or %s", t.Algorithm(),
			pcs.LinearName, pcs.PlusName, cfrbr.Name)}
	}
	c.Compact()
	return nil
}

// CanEvaluate reports whether Evaluate is possible: card abstractions that lose
// information, and games too large for vectors over all cards, have no exact best
// responses.
func (t *Training) CanEvaluate() bool { return t.evaluate != nil }

// Evaluate values the average strategy.
func (t *Training) Evaluate() publictree.Evaluation { return t.evaluate() }

// EvaluateCurrent values the current strategy, which matches the regrets and is that of the
// next iteration. It reports false where only the average strategy is evaluated: in games too
// large for exact best responses, and for algorithms in vector form on a GPU.
func (t *Training) EvaluateCurrent() (e publictree.Evaluation, ok bool) {
	if t.current != nil {
		return t.current(), true
	}
	current, ok := t.Trainer.(interface{ CurrentWeights() []float32 })
	if !ok || t.value == nil {
		return e, false
	}
	return t.value(current.CurrentWeights()), true
}

// AverageUtility returns the chips that every position has won in the mean of all
// iterations, or nil for algorithms that do not measure it.
func (t *Training) AverageUtility() []float64 {
	if u, ok := t.Trainer.(interface{ AverageUtility() []float64 }); ok {
		return u.AverageUtility()
	}
	return nil
}

// Close frees the training's memory on a device.
func (t *Training) Close() error {
	var errs []error
	for _, f := range t.release {
		errs = append(errs, f())
	}
	t.release = nil
	return errors.Join(errs...)
}
