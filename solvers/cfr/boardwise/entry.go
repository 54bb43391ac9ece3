package boardwise

import "math"

// A packed entry is a float in 16 bits: six of the exponent and ten of the mantissa, without
// a sign. It is from 2^-36 up to 2^28; 0 stands for smaller numbers, and larger ones become
// the largest.
const (
	droppedBits = 13               // bits of a 32-bit float's mantissa that are dropped
	packedBase  = (127 - 36) << 10 // subtracted from the bits that are left
	largest     = 1<<16 - 1
)

// pack rounds a number that is not negative: up, with the probability of the part that is
// dropped. Random has droppedBits random bits.
func pack(x float32, random uint32) uint16 {
	kept := int32((math.Float32bits(x)+random)>>droppedBits) - packedBase
	return uint16(max(0, min(kept, largest)))
}

func unpack(packed uint16) float32 {
	if packed == 0 {
		return 0
	}
	return math.Float32frombits((uint32(packed) + packedBase) << droppedBits)
}

// entries are the regrets, or the sums of strategies, of a player in a round: by board, tile
// of lanes, decision, bucket, action and lane.
type entries struct {
	packed []uint16
	floats []float32 // or these
}

func newEntries(n int, packed bool) entries {
	if packed {
		return entries{packed: make([]uint16, n)}
	}
	return entries{floats: make([]float32, n)}
}

func (e *entries) load(i int) float32 {
	if e.packed != nil {
		return unpack(e.packed[i])
	}
	return e.floats[i]
}

func (e *entries) store(i int, x float32, random uint32) {
	if e.packed != nil {
		e.packed[i] = pack(x, random)
	} else {
		e.floats[i] = x
	}
}

// noise is a generator of the bits of rounding: a linear congruential generator with a state for
// each place and pass. What an iteration adds makes a Kronecker sequence of the bits that a place gets
// (see package kernels): over the iterations they are spread evenly.
type noise uint32

// newNoise returns the generator of a bucket and lane of a round, which place numbers.
func newNoise(place uint32, pass int) noise {
	x := place*0x9E3779B1 + uint32(pass)*0x85EBCA77
	x ^= x >> 16
	x *= 0x21F0AAAD
	x ^= x >> 15
	x *= 0xD35A2D97
	return noise(x ^ x>>15)
}

// next returns bits. Salt is of the iteration.
func (n *noise) next(salt uint32) uint32 {
	*n = *n*1664525 + 1013904223
	return (uint32(*n) + salt) >> (32 - droppedBits)
}
