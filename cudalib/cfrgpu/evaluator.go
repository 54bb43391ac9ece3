package cfrgpu

import (
	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

// An Evaluator evaluates strategies of a game on a device, and the best responses
// to them, in 64 bits. It is used by one goroutine at a time.
type Evaluator struct {
	gpu       *launch.Launcher
	game      Game
	traversal *traversal[float64, evaluateArrays]
	weights   driver.Buffer[float32] // weights of strategies that come from elsewhere
}

// Values are a player's values by bucket of the first round.
type Values struct {
	Value []float64 // value of the strategy
	Best  []float64 // value of the best response to the strategy
}

// NewEvaluator returns an evaluator. The errors are those of [NewTrainer].
func NewEvaluator(d *driver.Device, g Game) (*Evaluator, error) {
	t, err := newTraversal[float64, evaluateArrays](d, &g, evaluate)
	if err == nil {
		err = d.RequireMemory(int64(t.bytes()))
	}
	if err != nil {
		return nil, err
	}
	e := &Evaluator{gpu: launch.New(d, Modules, t.modules()...), game: g, traversal: t}
	t.load(e.gpu)
	return launch.Finish(e.gpu, e)
}

// Close frees the memory on the device.
func (e *Evaluator) Close() error { return e.gpu.Close() }

// Evaluate evaluates the average strategy of the first copy of a training on the
// same device.
func (e *Evaluator) Evaluate(t *Trainer) ([2]Values, error) {
	if err := t.gpu.Stream.Sync(); err != nil {
		return [2]Values{}, err
	}
	return e.evaluate(t.sum)
}

// EvaluateWeights evaluates a strategy that is given as weights of all entries. It
// takes 4 bytes an entry of the device's memory.
func (e *Evaluator) EvaluateWeights(weights []float32) (out [2]Values, err error) {
	if e.weights.Len() == 0 {
		if err := e.gpu.Device.RequireMemory(4 * int64(len(weights))); err != nil {
			return out, err
		}
		if e.weights = launch.Alloc[float32](e.gpu, len(weights)); e.gpu.Err != nil {
			return out, e.gpu.Err
		}
	}
	if err := e.weights.Upload(e.gpu.Stream, weights); err != nil {
		return out, err
	}
	return e.evaluate(entryArray{floats: e.weights})
}

func (e *Evaluator) evaluate(sum entryArray) (out [2]Values, err error) {
	roots := e.traversal.plan.roots
	vectors := make([]float64, e.game.Rounds[0].Stride)
	err = e.gpu.Device.Do(func() error {
		for player := range out {
			if err := e.traversal.traverse(uint32(player), evaluateArrays{sum.entries(), sum.scales}); err != nil {
				return err
			}
			for i, to := range []*[]float64{&out[player].Value, &out[player].Best} {
				if err := e.traversal.frames.Slice(roots[i], roots[i]+len(vectors)).Download(e.gpu.Stream,
					vectors); err != nil {
					return err
				}
				*to = append([]float64(nil), vectors...)
			}
		}
		return nil
	})
	return out, err
}
