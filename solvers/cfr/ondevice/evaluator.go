package ondevice

import (
	"errors"

	"gamebots/cudalib"
	"gamebots/cudalib/cfrgpu"
	"gamebots/solvers/cfr/publictree"
)

// Evaluator is a [publictree.Evaluator] on a GPU, for games that a [Trainer] trains.
// Its results have the same bits. It is used by one goroutine at a time.
type Evaluator struct {
	*publictree.Layout
	device *cfrgpu.Evaluator
}

// NewEvaluator returns an evaluator on a device. For unsupported games the error is
// an errors.ErrUnsupported, and for games that do not fit in the device's memory a
// [*policy.SizeError].
func NewEvaluator(d *cudalib.Device, l *publictree.Layout) (*Evaluator, error) {
	g, err := newGame(l)
	if err != nil {
		return nil, err
	}
	device, err := cfrgpu.NewEvaluator(d, g)
	if err != nil {
		return nil, sizeError(l, err)
	}
	return &Evaluator{l, device}, nil
}

// sizeError turns the error of a device with too little memory into a SizeError.
func sizeError(l *publictree.Layout, err error) error {
	short, ok := errors.AsType[*cudalib.MemoryError](err)
	if !ok {
		return err
	}
	e := l.SizeError(int64(short.Need), int64(short.Free))
	e.Device = short.Device
	return e
}

// Close frees the evaluator's memory on its device.
func (e *Evaluator) Close() error { return e.device.Close() }

// Evaluate values a strategy given as weights of all entries, as a publictree.Evaluator does.
func (e *Evaluator) Evaluate(weights []float32) (publictree.Evaluation, error) {
	return e.evaluation(e.device.EvaluateWeights(weights))
}

// EvaluateTrainer values the average strategy of a trainer on the same device without
// copying it. If the device fails, so does the trainer, and the evaluation is empty.
func (e *Evaluator) EvaluateTrainer(t *Trainer) (out publictree.Evaluation) {
	if t.err == nil {
		out, t.err = e.evaluation(e.device.Evaluate(t.device))
	}
	return out
}

func (e *Evaluator) evaluation(values [2]cfrgpu.Values, err error) (publictree.Evaluation, error) {
	if err != nil {
		return publictree.Evaluation{}, sizeError(e.Layout, err)
	}
	out := publictree.Evaluation{Value: make([]float64, 2), BestResponse: make([]float64, 2)}
	for p, v := range values {
		out.Value[p], out.BestResponse[p] = e.RootMean(v.Value), e.RootMean(v.Best)
	}
	return out, nil
}
