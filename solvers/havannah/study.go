package havannah

import (
	"gamebots/hexproto/havannah"
	"gamebots/solvers/mcts"
	"gamebots/solvers/playout"
)

var _ mcts.Studier = (*expander)(nil)

// threats are the structures that a player could complete with two stones.
type threats struct {
	pairs   []playout.Pair
	count   [havannah.MaxCells]int16 // threats that a stone on each cell makes: pairs with it
	parries [havannah.MaxCells]int16 // double threats that a stone of the opponent on each cell stops
}

// find finds the threats of a player. It reports false if one stone completes a
// structure.
func (t *threats) find(pos *playout.Position, c havannah.Colour, empty []playout.EmptyCell) (ok bool) {
	for _, pair := range t.pairs {
		for _, cell := range pair {
			t.count[cell], t.parries[cell] = 0, 0
		}
	}
	t.pairs, ok = pos.Pairs(c, empty, t.pairs[:0])
	for _, pair := range t.pairs {
		t.count[pair[0]]++
		t.count[pair[1]]++
	}
	return ok
}

// doubleThreats returns the number of cells on which a stone makes two threats, and
// counts the defences against each of them: a stone on the cell, or on one of exactly two cells
// that it threatens.
func (t *threats) doubleThreats(empty []playout.EmptyCell) (n int16) {
	for _, cell := range empty {
		if t.count[cell.Cell] > 1 {
			t.parries[cell.Cell]++
			n++
		}
	}
	for _, pair := range t.pairs {
		for i, cell := range pair {
			if t.count[cell] == 2 {
				t.parries[pair[1-i]]++
			}
		}
	}
	return n
}

// winner returns a cell on which a stone makes two threats, or -1.
func (t *threats) winner() int {
	for _, pair := range t.pairs {
		for _, cell := range pair {
			if t.count[cell] > 1 {
				return int(cell)
			}
		}
	}
	return -1
}

// Study appends the moves that win or lose by a double threat.
func (e *expander) Study(path []mcts.Move, moves []mcts.Candidate) []mcts.Candidate {
	me := e.goTo(path)
	if e.params.Blind || len(e.empty) == e.grid.NumCells {
		return moves // on the empty board, the opponent may swap
	}
	mine, theirs := &e.threats[0], &e.threats[1]
	if !mine.find(e.pos.Position, me, e.empty) || !theirs.find(e.pos.Position, me.Other(), e.empty) {
		return moves // Candidates has proved it
	}
	if cell := mine.winner(); cell >= 0 {
		return append(moves, mcts.Candidate{Move: mcts.Move(cell), Proof: mcts.Win, Plies: 3})
	}
	if theirs.winner() < 0 {
		return moves
	}
	doubles := theirs.doubleThreats(e.empty)
	for _, c := range e.empty {
		cell := int(c.Cell)
		if theirs.parries[cell] < doubles && mine.count[cell] == 0 && !e.pos.MayFillRing(me, cell) {
			moves = append(moves, mcts.Candidate{Move: mcts.Move(cell), Proof: mcts.Loss, Plies: 4})
		}
	}
	return moves
}
