package snake

// Hashes of a path and of what can become of it, for beam search. They are the
// same on a GPU.

const golden = 0x9e3779b97f4a7c15

// stir is the finaliser of SplitMix64 (S. Vigna, 2015), one to one.
func stir(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// salt is what a seed makes of hashes.
func salt(seed uint64) uint64 { return stir(seed + golden) }

// hashState hashes all that the future of a path depends on: a sum of products of
// halves of words with each other (multilinear hashing over pairs), stirred.
func hashState(free []uint64, head uint32, allowed uint16, salt uint64) uint64 {
	h := salt ^ uint64(head)<<32 ^ uint64(allowed)<<16
	key := salt | 1
	for _, x := range free {
		key += golden
		h += uint64(uint32(x)+uint32(key)) * uint64(uint32(x>>32)+uint32(key>>32))
		h = h<<23 | h>>41
	}
	return stir(h)
}

// hashEdges hashes the edges of a path and one more.
func hashEdges(edges uint64, move uint8) uint64 { return stir(edges + uint64(move+1)*golden) }
