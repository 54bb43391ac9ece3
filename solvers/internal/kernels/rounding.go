package kernels

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
