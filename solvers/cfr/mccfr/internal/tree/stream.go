package tree

import "gamebots/internal/rng"

// NewStream returns the random numbers of a player's traversal in an iteration.
// Every traversal has a stream of its own, made from its number, so that checkpoints
// hold none.
func NewStream(seed, iteration uint64, player int) rng.Stream {
	return rng.Stream(rng.Mix(rng.Mix(seed+rng.Golden) + iteration*16 + uint64(player)))
}
