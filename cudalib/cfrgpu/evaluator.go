package cfrgpu

import (
	"errors"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/launch"
	ptx "gamebots/cudalib/ptx/cfr"
)

// Evaluator values strategies of a game on a device, and the best responses to
// them, in 64 bits. It is used by one goroutine at a time.
type Evaluator struct {
	gpu     *launch.Launcher
	game    Game
	walks   *walks
	weights driver.Buffer[float32] // of strategies that come from elsewhere
}

// Values are a player's values by bucket of the first round.
type Values struct {
	Value []float64 // of the strategy
	Best  []float64 // of the best response to it
}

// NewEvaluator returns a valuer. The errors are those of [NewTrainer].
func NewEvaluator(d *driver.Device, g Game) (*Evaluator, error) {
	w, err := newWalks(d, &g, walkValues)
	if err == nil {
		err = d.RequireMemory(int64(w.bytes()))
	}
	if err != nil {
		return nil, err
	}
	v := &Evaluator{gpu: launch.New(d, ptx.Modules, "mean", w.module()), game: g, walks: w}
	w.load(v.gpu)
	if v.gpu.Err != nil {
		return nil, errors.Join(v.gpu.Err, v.Close())
	}
	return v, nil
}

// Close frees what is on the device.
func (v *Evaluator) Close() error { return v.gpu.Close() }

// Value values the strategy of the first copy of a training on the same device.
func (v *Evaluator) Value(c *Trainer) ([2]Values, error) {
	if err := c.gpu.Stream.Sync(); err != nil {
		return [2]Values{}, err
	}
	return v.value(c.sum)
}

// ValueWeights values a strategy that is given as weights of all entries. It
// takes 4 bytes an entry of the device's memory.
func (v *Evaluator) ValueWeights(weights []float32) (out [2]Values, err error) {
	if v.weights.Len() == 0 {
		if err := v.gpu.Device.RequireMemory(4 * int64(len(weights))); err != nil {
			return out, err
		}
		if v.weights = launch.Alloc[float32](v.gpu, len(weights)); v.gpu.Err != nil {
			return out, v.gpu.Err
		}
	}
	if err := v.weights.Upload(v.gpu.Stream, weights); err != nil {
		return out, err
	}
	return v.value(cfrNumbers{floats: v.weights})
}

func (v *Evaluator) value(x cfrNumbers) (out [2]Values, err error) {
	sum, scales := x.args()
	roots := v.walks.plan.roots
	vectors := make([]float64, v.game.Rounds[0].Stride)
	err = v.gpu.Device.Do(func() error {
		for player := range out {
			if err := v.walks.traverse(uint32(player), sum, scales); err != nil {
				return err
			}
			for i, to := range []*[]float64{&out[player].Value, &out[player].Best} {
				if err := v.walks.frames.f64.Slice(roots[i], roots[i]+len(vectors)).Download(v.gpu.Stream, vectors); err != nil {
					return err
				}
				*to = append([]float64(nil), vectors...)
			}
		}
		return nil
	})
	return out, err
}
