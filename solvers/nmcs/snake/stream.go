package snake

import "gamebots/internal/rng"

// Stream is a generator of random numbers: MWC64X (D. Thomas, 2011), multiply-with-carry
// on two 32-bit words. It is the cheapest of its kind on a GPU. Its value is its whole
// state.
type Stream uint64

// mwcMultiplier is a number for which 2^32·mwcMultiplier - 1 is a safe prime.
const mwcMultiplier = 4294883355

// Uint32 returns the next 32 random bits.
func (s *Stream) Uint32() uint32 {
	low, high := uint32(*s), uint32(*s>>32)
	*s = Stream(uint64(low)*mwcMultiplier + uint64(high))
	return low ^ high
}

// Below returns a number in [0, n). Its bias is at most n/2^32.
func (s *Stream) Below(n int) int { return int(uint64(s.Uint32()) * uint64(n) >> 32) }

// Key determines the random numbers of a search.
type Key uint64

// RunKey returns the key of a run.
func RunKey(seed, run uint64) Key { return Key(rng.Mix(rng.Mix(seed) + run*rng.Golden)) }

// Child returns the key of the nested search after a move at a ply.
func (k Key) Child(ply int, m Move) Key {
	return Key(rng.Mix(uint64(k) ^ (uint64(ply)<<32|uint64(m))*rng.Golden))
}

// Stream returns the stream of one of the playouts of a leaf, from 0.
func (k Key) Stream(slot int) Stream {
	return Stream(rng.At(uint64(k), uint64(slot)) | 1) // the stream 0 has only zeros
}
