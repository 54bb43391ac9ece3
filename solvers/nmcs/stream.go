package nmcs

// A Stream is a stream of random numbers: MWC64X (D. Thomas, 2011), a multiply
// with carry of two words, of which the lower is the last remainder. It is what
// costs a GPU least, and its value is all its state.
type Stream uint64

// mwcMultiplier makes (2^32 times it) - 1 a safe prime.
const mwcMultiplier = 4294883355

// Uint32 returns the next number.
func (s *Stream) Uint32() uint32 {
	low, high := uint32(*s), uint32(*s>>32)
	*s = Stream(uint64(low)*mwcMultiplier + uint64(high))
	return low ^ high
}

// Below returns a number from 0 to n-1. Its bias is n/2^32 at most.
func (s *Stream) Below(n int) int { return int(uint64(s.Uint32()) * uint64(n) >> 32) }

// A Key is what the random numbers of a search follow from.
type Key uint64

// RunKey returns the key of a run.
func RunKey(seed, run uint64) Key { return Key(mix(mix(seed) + run*golden)) }

// Child returns the key of the search that tries a move at a ply of a search.
func (k Key) Child(ply int, m Move) Key {
	return Key(mix(uint64(k) ^ (uint64(ply)<<32|uint64(m))*golden))
}

// Stream returns the stream of one of the playouts of a leaf.
func (k Key) Stream(slot int) Stream {
	return Stream(mix(uint64(k)+uint64(slot+1)*golden) | 1) // a stream of 0 has nothing but zeros
}

const golden = 0x9e3779b97f4a7c15

// mix is the finaliser of SplitMix64 (S. Vigna, 2015), one to one.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
