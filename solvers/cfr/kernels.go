package cfr

import "math"

// The inner loops of training: regret matching on the way down the tree and
// the regrets' update on the way up. A vector has one float32 a bucket, padded
// to a multiple of lanes. A decision's vectors, one an action, lie stride
// floats apart: entryStride in the arrays over all entries, frameStride in a
// frame.
//
// These are the portable versions; kernels_amd64.s does the same with AVX2.
// Both give the same bits: no multiplication is fused with an addition (hence
// the conversions, which forbid it), and sums are in the same order.

// rates is how an iteration weighs what was there before it (see Algorithm).
type rates struct {
	positive, negative float32 // factors on earlier regrets by their sign
	floor              float32 // regrets are cut off below it
	average            float32 // factor on the earlier sum of strategies
}

// matchOther sets out[a] = in * strategy[a], the strategy proportional to the
// positive regrets and uniform where there are none.
func matchOtherGo(regret, in, out []float32, actions, entryStride, frameStride int) {
	uniform := 1 / float32(actions)
	for i, reach := range in {
		scale, base := matching(regret[i:], actions, entryStride, uniform)
		for a := range actions {
			out[a*frameStride+i] = reach * played(regret[a*entryStride+i], scale, base)
		}
	}
}

// matchOwn does as matchOther, keeps the strategy in sigma, and adds what it
// puts out to the decayed sum of strategies.
func matchOwnGo(regret, sum, in, sigma, out []float32, actions, entryStride, frameStride int, decay float32) {
	uniform := 1 / float32(actions)
	for i, reach := range in {
		scale, base := matching(regret[i:], actions, entryStride, uniform)
		for a := range actions {
			e, f := a*entryStride+i, a*frameStride+i
			sigma[f] = played(regret[e], scale, base)
			out[f] = reach * sigma[f]
			sum[e] = float32(sum[e]*decay) + out[f]
		}
	}
}

// matching returns what played needs to turn a bucket's regrets into its
// strategy: a factor on the positive ones, or a probability for all.
func matching(regret []float32, actions, stride int, uniform float32) (scale, base float32) {
	total := float32(0)
	for a := range actions {
		total += max(regret[a*stride], 0)
	}
	if total > 0 {
		return 1 / total, 0
	}
	return 0, uniform
}

func played(regret, scale, base float32) float32 {
	return float32(max(regret, 0)*scale) + base
}

// updateOwn sets value to the strategy's mean of the children's values, and
// adds what each action would have been worth more to the decayed regrets.
func updateOwnGo(regret, sigma, child, value []float32, actions, entryStride, frameStride int, r rates) {
	for i := range value {
		v := float32(0)
		for a := range actions {
			v += float32(sigma[a*frameStride+i] * child[a*frameStride+i])
		}
		value[i] = v
		for a := range actions {
			e := a*entryStride + i
			decay := r.negative
			if regret[e] > 0 {
				decay = r.positive
			}
			regret[e] = max(float32(regret[e]*decay)+(child[a*frameStride+i]-v), r.floor)
		}
	}
}

// predict sets the regrets that the next strategy is matched to: those that are
// stored and, once more, what was added to them last.
func predictGo(regret, predicted, child, value []float32, actions, entryStride, frameStride int) {
	for i, v := range value {
		for a := range actions {
			e := a*entryStride + i
			predicted[e] = regret[e] + (child[a*frameStride+i] - v)
		}
	}
}

// sumOther sets value to the sum of the children's values: at another player's
// decision the strategy is already in the reach that they were made with.
func sumOtherGo(child, value []float32, actions, frameStride int) {
	copy(value, child[:len(value)])
	for a := 1; a < actions; a++ {
		for i, v := range child[a*frameStride:][:len(value)] {
			value[i] += v
		}
	}
}

// foldOne is the value of a fold with one hole card, on one board: amount for
// each hand of the other player but the one that the player's own card is.
func foldOneGo(value, size, reach []float32, amount float32) { foldOneOf(value, size, reach, amount) }

var noFloor = float32(math.Inf(-1))
