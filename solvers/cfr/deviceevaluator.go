package cfr

import (
	"errors"

	"gamebots/cudalib"
	"gamebots/cudalib/cfrgpu"
)

// DeviceEvaluator is an [Evaluator] on a GPU, for games that a [DeviceTrainer] trains.
// Its results have the same bits. It is used by one goroutine at a time.
type DeviceEvaluator struct {
	*Layout
	device *cfrgpu.Evaluator
}

// NewDeviceEvaluator returns an evaluator on a device. For unsupported games the error is
// an errors.ErrUnsupported, and for games that do not fit in the device's memory a
// [*SizeError].
func NewDeviceEvaluator(d *cudalib.Device, l *Layout) (*DeviceEvaluator, error) {
	g, err := deviceGame(l)
	if err != nil {
		return nil, err
	}
	device, err := cfrgpu.NewEvaluator(d, g)
	if err != nil {
		return nil, l.deviceError(err)
	}
	return &DeviceEvaluator{l, device}, nil
}

// deviceError turns the error of a device with too little memory into a SizeError.
func (l *Layout) deviceError(err error) error {
	short, ok := errors.AsType[*cudalib.MemoryError](err)
	if !ok {
		return err
	}
	size := measure(l.Tree.Game, l.Tree.Shape, l.Cards.Kind)
	size.Bytes = int64(short.Need)
	e := l.sizeError(size, int64(short.Free))
	e.Device = short.Device
	return e
}

// Close frees the evaluator's memory on its device.
func (e *DeviceEvaluator) Close() error { return e.device.Close() }

// Evaluate values a strategy given as weights of all entries, as an Evaluator does.
func (e *DeviceEvaluator) Evaluate(weights []float32) (Evaluation, error) {
	return e.evaluation(e.device.EvaluateWeights(weights))
}

// EvaluateTrainer values the average strategy of a trainer on the same device without
// copying it. If the device fails, so does the trainer.
func (e *DeviceEvaluator) EvaluateTrainer(t *DeviceTrainer) (out Evaluation) {
	if t.err == nil {
		out, t.err = e.evaluation(e.device.Evaluate(t.device))
	}
	return out
}

func (e *DeviceEvaluator) evaluation(values [2]cfrgpu.Values, err error) (Evaluation, error) {
	out := Evaluation{Value: make([]float64, 2), BestResponse: make([]float64, 2)}
	if err != nil {
		return out, e.deviceError(err)
	}
	for p, v := range values {
		out.Value[p], out.BestResponse[p] = rootMean(e.Layout, v.Value), rootMean(e.Layout, v.Best)
	}
	return out, nil
}
