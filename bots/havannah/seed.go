package havannah

import (
	"hash/fnv"

	"gamebots/hexproto/wire"
)

// seedOf returns the two words of a PCG seed for a turn of a game.
func seedOf(seed uint64, game *wire.Game) (uint64, uint64) {
	h := fnv.New64a()
	if game.Tag != "" {
		h.Write([]byte(game.Tag))
	} else {
		h.Write([]byte(game.Game))
	}
	return seed ^ h.Sum64(), uint64(game.Turn)
}
