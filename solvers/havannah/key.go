package havannah

import (
	"math/rand/v2"
	"slices"

	"gamebots/hexproto/havannah"
	"gamebots/solvers/mcts"
)

var _ mcts.Keyer = (*expander)(nil)

// zobrist has a random number for a stone of each colour on each cell, and the last one
// for black to move. Their XOR is a position's key (A. Zobrist, A new hashing method with
// application for game playing, 1970).
var zobrist = func() (all [2][havannah.MaxCells + 1]uint64) {
	rng := rand.New(rand.NewPCG(1970, 0))
	for c := range all {
		for cell := range all[c] {
			all[c][cell] = rng.Uint64()
		}
	}
	return all
}()

// keyOf returns the key of a board.
func keyOf(b *havannah.Board) (key uint64) {
	for cell := range b.Grid().NumCells {
		if c := b.Stone(cell); c != havannah.NoColour {
			key ^= zobrist[c-havannah.White][cell]
		}
	}
	if b.Turn() == havannah.Black {
		key ^= zobrist[1][havannah.MaxCells]
	}
	return key
}

// Key returns the key of the position after a path, 0 if the path contains a swap.
func (e *expander) Key(path []mcts.Move) uint64 {
	if slices.Contains(path[:min(2, len(path))], mcts.Move(e.grid.NumCells)) {
		return 0
	}
	key, turn := e.key, e.board.Turn()-havannah.White
	for _, m := range path {
		key ^= zobrist[turn&1][m] ^ zobrist[1][havannah.MaxCells]
		turn ^= 1
	}
	return key
}
