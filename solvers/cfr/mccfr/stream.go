package mccfr

import "math/bits"

// stream is a source of random numbers: SplitMix64 of Steele, Lea and Flood,
// "Fast splittable pseudorandom number generators", OOPSLA 2014. Every traversal
// has one of its own, made from its number, so nothing of it is ever saved.
type stream uint64

// newStream returns the stream of a traversal: that of a player in an iteration.
func newStream(seed, iteration uint64, player int) stream {
	return stream(mix(mix(seed+golden) + iteration*16 + uint64(player)))
}

const golden = 0x9e3779b97f4a7c15

func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (s *stream) next() uint64 {
	*s += golden
	return mix(uint64(*s))
}

// below returns a number from 0 to n-1, for n small enough that the bias of
// n/2^64 is nothing.
func (s *stream) below(n int) int {
	high, _ := bits.Mul64(s.next(), uint64(n))
	return int(high)
}

// unit returns a number from 0 up to below 1.
func (s *stream) unit() float32 { return float32(s.next()>>40) * (1. / (1 << 24)) }
