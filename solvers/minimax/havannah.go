package minimax

import (
	"gamebots/hexproto/havannah"
	"gamebots/internal/rng"
)

var (
	_ Game[havannah.Move] = (*Havannah)(nil)
	_ Keyed               = (*Havannah)(nil)
)

// Havannah is a game of Havannah without swaps. At the depth limit it is scored as a
// draw.
type Havannah struct {
	board havannah.Board
	codes *[havannah.MaxCells][havannah.NumSymmetries][2]uint64 // code of each cell, symmetry and colour
	keys  [havannah.NumSymmetries]uint64                        // keys of the position, by symmetry
}

// NewHavannah returns a copy of a board to search.
func NewHavannah(b *havannah.Board) *Havannah {
	h := &Havannah{board: *b, codes: codesOf(b.Grid())}
	for cell := range b.Grid().NumCells {
		if c := b.Stone(cell); c != havannah.NoColour {
			h.toggle(cell, c)
		}
	}
	return h
}

// codesOf returns the codes of stones, whose XOR is a key. On boards of up to 32 cells
// each cell has two bits of its own, so that no two positions with the same player to
// move have the same key.
func codesOf(g *havannah.Grid) *[havannah.MaxCells][havannah.NumSymmetries][2]uint64 {
	code := func(cell, colour int) uint64 {
		if g.NumCells <= 32 {
			return uint64(colour+1) << (2 * cell)
		}
		return rng.At(0, uint64(2*cell+colour))
	}
	codes := new([havannah.MaxCells][havannah.NumSymmetries][2]uint64)
	for cell := range g.NumCells {
		for s := range havannah.NumSymmetries {
			image := g.Image(cell, s)
			codes[cell][s] = [2]uint64{code(image, 0), code(image, 1)}
		}
	}
	return codes
}

// toggle adds or removes a stone in the keys.
func (h *Havannah) toggle(cell int, c havannah.Colour) {
	side := 0
	if c == havannah.Black {
		side = 1
	}
	for s := range h.keys {
		h.keys[s] ^= h.codes[cell][s][side]
	}
}

// AppendMoves appends the legal moves without the swap.
func (h *Havannah) AppendMoves(moves []havannah.Move) []havannah.Move {
	moves = h.board.AppendMoves(moves)
	if last := len(moves) - 1; moves[last] == havannah.Swap {
		moves = moves[:last]
	}
	return moves
}

// Make makes a legal move.
func (h *Havannah) Make(m havannah.Move) {
	h.toggle(int(m), h.board.Turn())
	if err := h.board.Play(m); err != nil {
		panic(err) // only legal moves are made
	}
}

// Unmake takes back the last move.
func (h *Havannah) Unmake() {
	m := h.board.Move(h.board.NumMoves() - 1)
	h.board.Undo()
	h.toggle(int(m), h.board.Turn())
}

// Score returns Loss once the other player has won, and else 0.
func (h *Havannah) Score() (Score, bool) {
	if h.board.Won() != 0 {
		return Loss, true
	}
	return 0, h.board.Over()
}

// Key is the same for positions that are symmetric to each other.
func (h *Havannah) Key() uint64 {
	lowest := h.keys[0]
	for _, k := range h.keys[1:] {
		lowest = min(lowest, k)
	}
	return lowest
}
