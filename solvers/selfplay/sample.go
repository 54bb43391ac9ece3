package selfplay

import (
	"math"

	"gamebots/hexproto/havannah"
)

// A cell of a recorded position has a stone or none, and may be of the structure that
// ended the game.
const (
	ownStone = 1 << iota
	otherStone
	ownStructure
	otherStructure
)

// none stands for no move.
const none = math.MaxUint16

// sample is a recorded position with what a network should say of it. Own is the player to
// move.
type sample struct {
	Cells  []uint8
	Policy []uint16 // probabilities of cells, in units of 1/policyUnit
	Last   uint16   // the cell of the last stone
	Reply  uint16   // the move after the one that was made, or none
	Value  int8     // result of the player to move: 1, 0, -1
	Kinds  uint8    // havannah.Structures that ended the game

	Turn havannah.Colour
	Ply  int // moves before
}

const policyUnit = math.MaxUint16

// newSample records the position of a game, of which a search has found something.
func newSample(g *game, o outcome) sample {
	s := positionOfGame(g.grid, &g.board, g.moves)
	s.Policy = make([]uint16, g.grid.NumCells)
	policy := make([]float32, g.grid.NumCells+1)
	o.Policy(policy)
	for cell := range s.Policy {
		s.Policy[cell] = uint16(math.Round(float64(policy[cell]) * policyUnit))
	}
	return s
}

// positionOfGame returns the sample of a board after moves, without what a search has found.
func positionOfGame(g *havannah.Grid, b *havannah.Board, moves []uint16) sample {
	s := sample{Cells: make([]uint8, g.NumCells), Turn: b.Turn(), Ply: len(moves), Last: moves[len(moves)-1]}
	for cell := range s.Cells {
		switch b.Stone(cell) {
		case s.Turn:
			s.Cells[cell] = ownStone
		case s.Turn.Other():
			s.Cells[cell] = otherStone
		}
	}
	return s
}

// finish adds what the end of the game says.
func (s *sample) finish(b *havannah.Board, moves []uint16) {
	s.Reply, s.Kinds = none, uint8(b.Won())
	if s.Ply+1 < len(moves) {
		s.Reply = moves[s.Ply+1]
	}
	structure := uint8(0)
	switch b.Winner() {
	case s.Turn:
		s.Value, structure = 1, ownStructure
	case s.Turn.Other():
		s.Value, structure = -1, otherStructure
	}
	for _, cell := range b.WinningCells() {
		s.Cells[cell] |= structure
	}
}
