package kernels

import "math"

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
