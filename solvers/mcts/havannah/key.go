package havannah

import (
	"math/rand/v2"
	"slices"

	"gamebots/hexproto/havannah"
	"gamebots/solvers/mcts"
)

var _ mcts.Keyer = (*expander)(nil)

// keys has a number for a stone of each colour on each cell, and the last one for
// black to move. Those of a position together are its key (A. Zobrist, A new hashing
// method with application for game playing, 1970).
var keys = func() (all [2][havannah.MaxCells + 1]uint64) {
	rng := rand.New(rand.NewPCG(1970, 0))
	for c := range all {
		for at := range all[c] {
			all[c][at] = rng.Uint64()
		}
	}
	return all
}()

// keyOf returns a board's key.
func keyOf(b *havannah.Board) (key uint64) {
	for at := range b.Grid().NumCells {
		if c := b.Stone(at); c != havannah.NoColour {
			key ^= keys[c-havannah.White][at]
		}
	}
	if b.Turn() == havannah.Black {
		key ^= keys[1][havannah.MaxCells]
	}
	return key
}

// Key returns the key of the position after a path, 0 if there is a swap on it.
func (g *expander) Key(path []mcts.Move) uint64 {
	if slices.Contains(path[:min(2, len(path))], mcts.Move(g.grid.NumCells)) {
		return 0
	}
	key, turn := g.key, g.board.Turn()-havannah.White
	for _, m := range path {
		key ^= keys[turn&1][m] ^ keys[1][havannah.MaxCells]
		turn ^= 1
	}
	return key
}
