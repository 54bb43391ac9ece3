package cfr

import (
	"errors"
	"fmt"
	"io"

	"gamebots/cudalib"
	"gamebots/cudalib/cfrgpu"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/strategy"
)

// DeviceTrainer is a [Trainer] on a GPU. Its results have the same bits, so checkpoints
// can be exchanged. It trains games of two players with one hole card or two, by all
// algorithms but those against best responses. A DeviceTrainer is used by one goroutine
// at a time.
//
// A device may fail. From then on nothing is trained, and Err and all methods that need
// results of the device return the failure.
type DeviceTrainer struct {
	*Layout
	Algorithm Algorithm

	device     *cfrgpu.Trainer
	copies     int
	iterations uint64
	discounts  []cfrgpu.Discounts
	sum        entryArray // as last copied from the device
	weights    []float32  // the sum unpacked
	err        error
}

// deviceGain is the number of entries from which on a GPU is faster. Below it, launches
// take longer than the iterations themselves take on a CPU. A launch of a tiny game does
// many iterations. docs/benchmarks/cfr-vector.md has the measurements.
const (
	deviceGain     = 6_000
	deviceGainTiny = 1_000
)

// DeviceWorthwhile reports whether a GPU is likely to train a game faster than a CPU, and the
// reason.
func (l *Layout) DeviceWorthwhile() (worthwhile bool, reason string) {
	minimum := float64(deviceGainTiny)
	for r := range l.Cards.Rounds {
		if l.Cards.Rounds[r].Stride > cfrgpu.MaxTinyStride {
			minimum = deviceGain
		}
	}
	return l.UsedEntries() >= minimum, fmt.Sprintf("%.0f entries, and a GPU gains from %.0f on", l.UsedEntries(), minimum)
}

// NewDeviceTrainer returns a trainer on a device that has done no iteration.
// For unsupported games and algorithms the error is an errors.ErrUnsupported, and for
// games that do not fit in the device's memory a [*SizeError].
//
// A game that is tiny enough for a multiprocessor can be trained in several identical
// copies at once, to measure how a device does with many such games. Results are those
// of the first.
func NewDeviceTrainer(d *cudalib.Device, l *Layout, a Algorithm, copies int) (*DeviceTrainer, error) {
	if a.BestResponse {
		return nil, fmt.Errorf("%v: a GPU does not train against best responses: %w", a, errors.ErrUnsupported)
	}
	g, err := deviceGame(l)
	if err != nil {
		return nil, err
	}
	device, err := cfrgpu.NewTrainer(d, g, cfrgpu.Options{Predictive: a.Predictive, Quantized: a.Quantized, Copies: copies})
	if err != nil {
		return nil, l.deviceError(err)
	}
	return &DeviceTrainer{Layout: l, Algorithm: a, device: device, copies: copies, sum: l.newEntries(a.Quantized, false)}, nil
}

// Close frees the trainer's memory on its device.
func (t *DeviceTrainer) Close() error { return t.device.Close() }

// Err returns the failure of the device, or nil.
func (t *DeviceTrainer) Err() error { return t.err }

// Iterations returns the number of iterations done.
func (t *DeviceTrainer) Iterations() uint64 { return t.iterations }

// Floor returns lower bounds of an iteration on the device: the bytes that its memory
// moves, and the kernels that are launched. The regret of each entry is read in both
// players' traversals; in its own player's, regret and strategy are written and the
// strategy is read. A tiny game stays in a multiprocessor's own memory and moves none.
func (t *DeviceTrainer) Floor() (bytes, launches float64) {
	eachEntry := 5. * 4
	if t.Algorithm.Quantized {
		eachEntry = 5 * (2 + 4*float64(t.numScales())/float64(t.Entries))
	}
	launches = t.device.Launches()
	if launches < 1 {
		return 0, launches
	}
	return eachEntry * t.UsedEntries(), launches
}

// Step does one iteration.
func (t *DeviceTrainer) Step() { t.StepUpTo(1) }

// StepUpTo does at most this much at once, a fraction of a second's work. The time of a
// small game's iteration does not depend on its size.
const (
	deviceEntries    = 1 << 31 // updated
	deviceIterations = 1 << 12
)

// StepUpTo does at least one and at most n iterations, as many as take a fraction of a
// second. A GPU is faster with fewer and longer launches.
func (t *DeviceTrainer) StepUpTo(n uint64) {
	if t.err != nil {
		return
	}
	t.discounts = t.discounts[:0]
	for n = max(1, min(n, deviceIterations, deviceEntries/uint64(t.copies*t.Entries))); n > 0; n-- {
		r := t.Algorithm.Discounts(t.iterations + uint64(len(t.discounts)) + 1)
		t.discounts = append(t.discounts, cfrgpu.Discounts{Positive: r.Positive, Negative: r.Negative, Floor: r.Floor, Average: r.Average})
	}
	if t.err = t.device.Iterate(t.discounts); t.err == nil {
		t.iterations += uint64(len(t.discounts))
	}
}

// Weights returns the average strategy as weights of all entries, for an
// Evaluator. The slice belongs to the trainer: the next call changes it.
func (t *DeviceTrainer) Weights() []float32 {
	t.download(cfrgpu.State{Sum: t.sum.onDevice()})
	return t.unpack(&t.sum, &t.weights)
}

func (t *DeviceTrainer) download(to cfrgpu.State) {
	if t.err == nil {
		t.err = t.device.Download(0, to)
	}
}

// Save writes the average strategy to a file, as that of a Trainer does.
func (t *DeviceTrainer) Save(path string, m strategy.Meta) error {
	sum := t.Weights()
	if t.err != nil {
		return t.err
	}
	m.Algorithm, m.Iterations = t.Algorithm.String(), t.iterations
	return t.saveSum(path, m, sum)
}

var _ checkpoint.State = (*DeviceTrainer)(nil)

// WriteState writes the state as a Trainer does.
func (t *DeviceTrainer) WriteState(w io.Writer) error {
	regret, predicted := t.newState()
	t.download(cfrgpu.State{Regret: regret.onDevice(), Matched: predicted.onDevice(), Sum: t.sum.onDevice()})
	if t.err != nil {
		return t.err
	}
	return writeState(w, t.iterations, &regret, &predicted, &t.sum)
}

// ReadState reads the state that a trainer of the same layout and algorithm wrote, on
// any device. Training goes on from there.
func (t *DeviceTrainer) ReadState(r io.Reader) (err error) {
	regret, predicted := t.newState()
	if t.iterations, err = readState(r, &regret, &predicted, &t.sum); err != nil {
		return err
	}
	for k := range t.copies {
		if err := t.device.Upload(k, cfrgpu.State{Regret: regret.onDevice(), Matched: predicted.onDevice(), Sum: t.sum.onDevice()}); err != nil {
			return err
		}
	}
	return nil
}

// newState returns arrays for the state of one copy but for its sum.
func (t *DeviceTrainer) newState() (regret, predicted entryArray) {
	regret = t.newEntries(t.Algorithm.Quantized, true)
	if t.Algorithm.Predictive {
		predicted = t.newEntries(t.Algorithm.Quantized, true)
	}
	return regret, predicted
}

// onDevice returns the slices that are copied to or from a device.
func (x *entryArray) onDevice() cfrgpu.Array {
	return cfrgpu.Array{Floats: x.floats, Quantized: x.quantized, Scales: x.scales}
}
