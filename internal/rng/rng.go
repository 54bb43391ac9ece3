// Package rng has SplitMix64, the random numbers of the solvers and of tournament
// plans (G. Steele, D. Lea and C. Flood, Fast splittable pseudorandom number
// generators, OOPSLA 2014). A generator is one word, so that every traversal, game
// or shard has a stream of its own, made from a seed and its number, and none is
// ever saved. GPU kernels compute the same numbers.
package rng

import "math/bits"

// Golden is the increment of SplitMix64's state: 2^64 divided by the golden ratio, made
// odd.
const Golden = 0x9e3779b97f4a7c15

// Mix is the output function of SplitMix64, a bijection in which each bit of the
// result depends on all bits of x. Mix(0) is 0.
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// At returns number i, from 0, of the stream whose state is seed. Distinct i give
// distinct numbers.
func At(seed, i uint64) uint64 { return Mix(seed + Golden*(i+1)) }

// Stream is a SplitMix64 generator; its value is its whole state, so that Stream(seed)
// is the stream of a seed. It is a [math/rand/v2.Source], and not safe for concurrent
// use.
type Stream uint64

// Uint64 returns the next 64 random bits.
func (s *Stream) Uint64() uint64 {
	*s += Golden
	return Mix(uint64(*s))
}

// IntN returns a number in [0, n), n > 0. Its bias, n/2^64, is accepted.
func (s *Stream) IntN(n int) int {
	high, _ := bits.Mul64(s.Uint64(), uint64(n))
	return int(high)
}

// Float32 returns a number in [0, 1), a multiple of 2^-24.
func (s *Stream) Float32() float32 { return float32(s.Uint64()>>40) * (1. / (1 << 24)) }

// Float64 returns a number in [0, 1), a multiple of 2^-53.
func (s *Stream) Float64() float64 { return float64(s.Uint64()>>11) / (1 << 53) }
