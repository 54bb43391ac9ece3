package vectors

import (
	"math"

	"gamebots/solvers/cfr/abstraction"
)

// Discounts are the weights that an iteration gives to the earlier ones.
type Discounts struct {
	Positive, Negative float32 // factors on earlier regrets by their sign
	Floor              float32 // lower bound of regrets, minus infinity for none
	Average            float32 // factor on the earlier sum of strategies
	// A prediction is the sum of the regrets times Kept and the last gains times Predicted.
	Kept, Predicted float32
}

// matchOtherGo is the portable MatchOther.
func matchOtherGo(regret, in, out []float32, actions, entryStride, frameStride int) {
	uniform := 1 / float32(actions)
	for i, reach := range in {
		scale, base := matching(regret[i:], actions, entryStride, uniform)
		for a := range actions {
			out[a*frameStride+i] = reach * probability(regret[a*entryStride+i], scale, base)
		}
	}
}

// matchOwnGo is the portable MatchOwn.
func matchOwnGo(regret, sum, in, sigma, out []float32, actions, entryStride, frameStride int, decay float32) {
	uniform := 1 / float32(actions)
	for i, reach := range in {
		scale, base := matching(regret[i:], actions, entryStride, uniform)
		for a := range actions {
			e, f := a*entryStride+i, a*frameStride+i
			sigma[f] = probability(regret[e], scale, base)
			out[f] = reach * sigma[f]
			sum[e] = float32(sum[e]*decay) + out[f]
		}
	}
}

// Smallest is the smallest float whose inverse is finite. Regrets whose sum is smaller count
// as zero.
const Smallest = 0x1p-126

// matching returns the arguments with which probability turns a bucket's regrets
// into its strategy: a factor on the positive ones, or a constant for all.
func matching(regret []float32, actions, stride int, uniform float32) (scale, base float32) {
	total := float32(0)
	for a := range actions {
		total += max(regret[a*stride], 0)
	}
	if total >= Smallest {
		return 1 / total, 0
	}
	return 0, uniform
}

func probability(regret, scale, base float32) float32 {
	return float32(max(regret, 0)*scale) + base
}

// updateOwnGo is the portable UpdateOwn.
func updateOwnGo(regret, sigma, child, value []float32, actions, entryStride, frameStride int, r Discounts) {
	for i := range value {
		v := float32(0)
		for a := range actions {
			v += float32(sigma[a*frameStride+i] * child[a*frameStride+i])
		}
		value[i] = v
		for a := range actions {
			e := a*entryStride + i
			decay := r.Negative
			if regret[e] > 0 {
				decay = r.Positive
			}
			regret[e] = max(float32(regret[e]*decay)+(child[a*frameStride+i]-v), r.Floor)
		}
	}
}

// predictGo is the portable Predict.
func predictGo(regret, predicted, child, value []float32, actions, entryStride, frameStride int, r Discounts) {
	for i, v := range value {
		for a := range actions {
			e := a*entryStride + i
			predicted[e] = float32(r.Kept*regret[e]) + float32(r.Predicted*(child[a*frameStride+i]-v))
		}
	}
}

// sumOtherGo is the portable SumOther.
func sumOtherGo(child, value []float32, actions, frameStride int) {
	copy(value, child[:len(value)])
	for a := 1; a < actions; a++ {
		for i, v := range child[a*frameStride:][:len(value)] {
			value[i] += v
		}
	}
}

// meanGo is the portable Mean.
func meanGo(sigma, child, value []float32, actions, frameStride int) {
	clear(value)
	for a := range actions {
		s, c := sigma[a*frameStride:], child[a*frameStride:]
		for i := range value {
			value[i] += float32(s[i] * c[i])
		}
	}
}

// lookUpGo is the portable LookUp.
func lookUpGo(table, index []uint32, out []float32, actions, frameStride int) {
	for i, at := range index {
		for a := range actions {
			out[a*frameStride+i] = float32(table[at] >> (8 * a) & 0xff)
		}
	}
}

// FoldOnePortable is the portable FoldOne, for any number type and with sums in
// the same order.
func FoldOnePortable[F float32 | float64](value, size, reach []F, amount F) {
	var lanes [abstraction.Lanes]F
	for i, r := range reach {
		lanes[i%len(lanes)] += F(size[i] * r)
	}
	total := ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))
	for i, r := range reach {
		value[i] = amount * (total - r)
	}
}

// Numbers that are kept in 16 bits are rounded up or down by thresholds. Rounding to the nearest
// integer would lose all changes of less than half a step, and so those of the later iterations:
// exploitability would stop falling. The thresholds of a place over the iterations, and of the places
// in an iteration, are Kronecker sequences: multiples of an irrational number, less their whole part.
// They are spread evenly, so the rounded numbers are right in the mean, with less noise than random
// thresholds leave.
const (
	// The steps are parts of 2^32: 1/φ, where φ² = φ + 1, and 1/ρ², where ρ³ = ρ + 1.
	iterationStep = 0x9E3779B1
	// PlaceStep is from a threshold to that of the next place.
	PlaceStep = 0x91E10DA5
)

// Threshold returns the threshold of a place in an iteration, as a part of 2^32: numbers whose
// fraction and threshold add up to more than 1 are rounded up.
func Threshold(place int64, iteration uint64) uint32 {
	return uint32(place)*PlaceStep + uint32(iteration)*iterationStep
}

// A Quantizer packs numbers that share a scale into integers of 16 bits.
type Quantizer struct {
	Largest  float32 // stores the largest number; one more is left for rounding up
	Fraction int     // number of bits that rounding drops
}

// Numbers of 16 bits have a sign or not.
var (
	Signed   = Quantizer{1<<15 - 2, 16}
	Unsigned = Quantizer{1<<16 - 2, 15}
)

// leastLargest is the least that the largest number of a scale may be: with less, all are 0.
const leastLargest = 0x1p-96

// Magnitude returns the bits of a number without its sign. In this order, what is no number is the
// largest.
func Magnitude(x float32) uint32 { return math.Float32bits(x) &^ (1 << 31) }

// Scale returns the scale of numbers, given the largest of their magnitudes, and the factor for
// Round. If it is not ok, the integers are 0.
func (q Quantizer) Scale(magnitude uint32) (scale, inverse float32, ok bool) {
	x := math.Float32frombits(magnitude)
	return x / q.Largest, q.Largest * float32(int32(1)<<q.Fraction) / x, x >= leastLargest && x <= math.MaxFloat32
}

// Round returns the integer of a number.
func (q Quantizer) Round(x, inverse float32, threshold uint32) int32 {
	return (int32(x*inverse) + int32(threshold>>(32-q.Fraction))) >> q.Fraction
}
