package tree

import "math/bits"

// Stream is a source of random numbers: SplitMix64 of Steele, Lea and Flood,
// "Fast splittable pseudorandom number generators", OOPSLA 2014. Every traversal
// has a stream of its own, made from its number, so that checkpoints hold none.
type Stream uint64

// NewStream returns the stream of a player's traversal in an iteration.
func NewStream(seed, iteration uint64, player int) Stream {
	return Stream(Mix(Mix(seed+golden) + iteration*16 + uint64(player)))
}

const golden = 0x9e3779b97f4a7c15

// Mix is the output function of SplitMix64: a bijection that scatters bits.
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Next returns 64 random bits.
func (s *Stream) Next() uint64 {
	*s += golden
	return Mix(uint64(*s))
}

// Below returns a number from 0 to n-1. Its bias of n/2^64 is negligible for
// small n.
func (s *Stream) Below(n int) int {
	high, _ := bits.Mul64(s.Next(), uint64(n))
	return int(high)
}

// Unit returns a number in [0, 1).
func (s *Stream) Unit() float32 { return float32(s.Next()>>40) * (1. / (1 << 24)) }
