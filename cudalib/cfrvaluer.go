package cudalib

import (
	"errors"

	"gamebots/cudalib/driver"
)

// CFRValuer values strategies of a game on a device, and the best responses to
// them, in 64 bits. It is used by one goroutine at a time.
type CFRValuer struct {
	*launcher
	game    CFRGame
	walks   *walks
	weights driver.Buffer[float32] // of strategies that come from elsewhere
}

// CFRValues are a player's values by bucket of the first round.
type CFRValues struct {
	Value []float64 // of the strategy
	Best  []float64 // of the best response to it
}

// NewCFRValuer returns a valuer. The errors are those of [NewCFR].
func NewCFRValuer(d *Device, g CFRGame) (*CFRValuer, error) {
	w, err := newWalks(d, &g, walkValues)
	if err == nil {
		err = enoughMemory(d, int64(w.bytes()))
	}
	if err != nil {
		return nil, err
	}
	v := &CFRValuer{launcher: newLauncher(d, "walk_mean", w.module()), game: g, walks: w}
	w.load(v.launcher)
	if v.err != nil {
		return nil, errors.Join(v.err, v.Close())
	}
	return v, nil
}

// Value values the strategy of the first copy of a training on the same device.
func (v *CFRValuer) Value(c *CFR) ([2]CFRValues, error) {
	if err := c.stream.Sync(); err != nil {
		return [2]CFRValues{}, err
	}
	return v.value(c.sum)
}

// ValueWeights values a strategy that is given as weights of all entries. It
// takes 4 bytes an entry of the device's memory.
func (v *CFRValuer) ValueWeights(weights []float32) (out [2]CFRValues, err error) {
	if v.weights.Len() == 0 {
		if err := enoughMemory(v.device, 4*int64(len(weights))); err != nil {
			return out, err
		}
		if v.weights = alloc[float32](v.launcher, len(weights)); v.err != nil {
			return out, v.err
		}
	}
	if err := v.weights.Upload(v.stream, weights); err != nil {
		return out, err
	}
	return v.value(cfrNumbers{floats: v.weights})
}

func (v *CFRValuer) value(x cfrNumbers) (out [2]CFRValues, err error) {
	sum, scales := x.args()
	roots := v.walks.plan.roots
	vectors := make([]float64, v.game.Rounds[0].Stride)
	err = v.device.Do(func() error {
		for player := range out {
			if err := v.walks.traverse(uint32(player), sum, scales); err != nil {
				return err
			}
			for i, to := range []*[]float64{&out[player].Value, &out[player].Best} {
				if err := v.walks.frames.f64.Slice(roots[i], roots[i]+len(vectors)).Download(v.stream, vectors); err != nil {
					return err
				}
				*to = append([]float64(nil), vectors...)
			}
		}
		return nil
	})
	return out, err
}
