package snake

import "gamebots/internal/rng"

// Hashes of a path and of what can become of it, for beam search. They are the
// same on a GPU.

// hashState hashes all that the future of a path depends on: a sum of products of
// halves of words with each other (multilinear hashing over pairs), mixed.
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

// hashEdges hashes the edges of a path and one more.
func hashEdges(edges uint64, move uint8) uint64 { return rng.Mix(edges + uint64(move+1)*rng.Golden) }
