package ondevice

import (
	"errors"
	"fmt"
	"io"

	"gamebots/cudalib"
	"gamebots/cudalib/cfrgpu"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/strategy"
)

// Trainer is a [cfr.Trainer] on a GPU. Its results have the same bits, so checkpoints
// can be exchanged. It trains games of two players with one hole card or two, by all
// algorithms but those that weigh predictions. A Trainer is used by one goroutine at a time.
//
// A device may fail. From then on nothing is trained, and Err and all methods that need
// results of the device return the failure.
type Trainer struct {
	// The state has the iterations, and the sum of strategies as last copied from the device.
	*cfr.State

	device    *cfrgpu.Trainer
	copies    int
	discounts []cfrgpu.Discounts
	err       error
}

// deviceGain is the number of entries from which on a GPU is faster. Below it, launches
// take longer than the iterations themselves take on a CPU. A launch of a tiny game does
// many iterations. docs/benchmarks/cfr-vector.md has the measurements.
const (
	deviceGain     = 6_000
	deviceGainTiny = 1_000
)

// DeviceWorthwhile reports whether a GPU is likely to be faster than the CPU for a game, and why it is or is not.
func DeviceWorthwhile(l *publictree.Layout) (worthwhile bool, reason string) {
	minimum := float64(deviceGainTiny)
	for r := range l.Cards.Rounds {
		if l.Cards.Rounds[r].Stride > cfrgpu.MaxTinyStride {
			minimum = deviceGain
		}
	}
	entries := l.UsedEntries()
	return entries >= minimum, fmt.Sprintf("%.0f entries, and a GPU gains from %.0f on", entries, minimum)
}

// NewTrainer returns a trainer on a device that has done no iteration.
// For unsupported games and algorithms the error is an errors.ErrUnsupported, and for
// games that do not fit in the device's memory a [*policy.SizeError].
//
// A game that is tiny enough for a multiprocessor can be trained in several identical
// copies at once, to measure how a device does with many such games. Results are those
// of the first.
func NewTrainer(d *cudalib.Device, l *publictree.Layout, a cfr.Algorithm, copies int) (*Trainer, error) {
	if a.WeighsPredictions() {
		return nil, fmt.Errorf("%v: a GPU does not weigh predictions: %w", a, errors.ErrUnsupported)
	}
	g, err := newGame(l)
	if err != nil {
		return nil, err
	}
	options := cfrgpu.Options{Predictive: a.Predictive, Quantized: a.Quantized, Copies: copies}
	device, err := cfrgpu.NewTrainer(d, g, options)
	if err != nil {
		return nil, sizeError(l, err)
	}
	s := cfr.NewState(l, a)
	s.Regret, s.Predicted = cfr.EntryArray{}, cfr.EntryArray{} // the device has them
	return &Trainer{State: s, device: device, copies: copies}, nil
}

// Close frees the trainer's memory on its device.
func (t *Trainer) Close() error { return t.device.Close() }

// Err returns the failure of the device, or nil.
func (t *Trainer) Err() error { return t.err }

// Step does one iteration.
func (t *Trainer) Step() { t.StepUpTo(1) }

// StepUpTo does at most this much at once, a fraction of a second's work. The time of a
// small game's iteration does not depend on its size.
const (
	deviceEntries    = 1 << 31 // updated
	deviceIterations = 1 << 12
)

// StepUpTo does at least one and at most n iterations, as many as take a fraction of a
// second. A GPU is faster with fewer and longer launches.
func (t *Trainer) StepUpTo(n uint64) {
	if t.err != nil {
		return
	}
	t.discounts = t.discounts[:0]
	for n = max(1, min(n, deviceIterations, deviceEntries/uint64(t.copies*t.Entries))); n > 0; n-- {
		r := t.Algorithm.Discounts(t.Done + uint64(len(t.discounts)) + 1).Single()
		t.discounts = append(t.discounts, cfrgpu.Discounts{
			Positive: r.Positive, Negative: r.Negative, Floor: r.Floor, Average: r.Average,
		})
	}
	if t.err = t.device.Iterate(t.Done+1, t.discounts); t.err == nil {
		t.Done += uint64(len(t.discounts))
	}
}

// Weights returns the average strategy as weights of all entries, for a
// publictree.Evaluator. The slice belongs to the trainer: the next call changes it.
func (t *Trainer) Weights() []float32 {
	t.download(cfrgpu.State{Sum: array(&t.Sum)})
	return t.State.Weights()
}

func (t *Trainer) download(to cfrgpu.State) {
	if t.err == nil {
		t.err = t.device.Download(0, to)
	}
}

// Save writes the average strategy to a file, as a [cfr.Trainer] does.
func (t *Trainer) Save(path string, m strategy.Meta) error {
	if t.download(cfrgpu.State{Sum: array(&t.Sum)}); t.err != nil {
		return t.err
	}
	return t.State.Save(path, m)
}

var _ checkpoint.State = (*Trainer)(nil)

// WriteState writes the state as a [cfr.Trainer] does.
func (t *Trainer) WriteState(w io.Writer) error {
	all := cfr.NewState(t.Layout, t.Algorithm)
	all.Done, all.Sum = t.Done, t.Sum
	if t.download(onDevice(all)); t.err != nil {
		return t.err
	}
	return all.WriteState(w)
}

// ReadState reads the state that a trainer of the same layout and algorithm wrote, on
// any device. Training goes on from there.
func (t *Trainer) ReadState(r io.Reader) error {
	all := cfr.NewState(t.Layout, t.Algorithm)
	all.Sum = t.Sum
	err := all.ReadState(r)
	if t.Done = all.Done; err != nil {
		return err
	}
	for k := range t.copies {
		if err := t.device.Upload(k, onDevice(all)); err != nil {
			return err
		}
	}
	return nil
}

// onDevice returns the arrays of a state that are copied to or from a device.
func onDevice(s *cfr.State) cfrgpu.State {
	return cfrgpu.State{Regret: array(&s.Regret), Matched: array(&s.Predicted), Sum: array(&s.Sum)}
}

func array(x *cfr.EntryArray) cfrgpu.Array {
	return cfrgpu.Array{Floats: x.Floats, Quantized: x.Quantized, Scales: x.Scales}
}
