package beam

import "gamebots/internal/rng"

// Hashes of paths, for beam search. A GPU computes the same.

// salt returns the salt of the hashes of a seed.
func salt(seed uint64) uint64 { return rng.At(seed, 0) }

// hashState hashes all that the future of a path depends on: a sum of products of the
// halves of words (multilinear hashing of pairs), mixed.
func hashState(free []uint64, head uint32, allowed uint16, salt uint64) uint64 {
	h := salt ^ uint64(head)<<32 ^ uint64(allowed)<<16
	key := salt | 1
	for _, x := range free {
		key += rng.Golden
		h += uint64(uint32(x)+uint32(key)) * uint64(uint32(x>>32)+uint32(key>>32))
		h = h<<23 | h>>41
	}
	return rng.Mix(h)
}

// hashEdges hashes the edges of a path, given by their hash, and one more.
func hashEdges(edges uint64, move uint8) uint64 { return rng.Mix(edges + uint64(move+1)*rng.Golden) }
