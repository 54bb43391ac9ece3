package havannah

import (
	"gamebots/hexproto/havannah"
	"gamebots/solvers/mcts"
	"gamebots/solvers/playout"
)

var _ mcts.Studier = (*expander)(nil)

// plans are what a player would complete with two stones.
type plans struct {
	pairs   []playout.Pair
	threats [havannah.MaxCells]int16 // that a stone on each cell makes: its pairs
	parries [havannah.MaxCells]int16 // moves of the player that make two, and one on the cell stops
}

// find finds a player's plans, unless one stone completes something.
func (p *plans) find(pos *playout.Position, c havannah.Colour, spots []playout.Spot) (ok bool) {
	for _, pair := range p.pairs {
		for _, at := range pair {
			p.threats[at], p.parries[at] = 0, 0
		}
	}
	p.pairs, ok = pos.Pairs(c, spots, p.pairs[:0])
	for _, pair := range p.pairs {
		p.threats[pair[0]]++
		p.threats[pair[1]]++
	}
	return ok
}

// forks returns how many moves of the player make two threats, and finds what stops
// them: a stone in the move's place, or on one of just two cells that it threatens.
func (p *plans) forks(spots []playout.Spot) (n int16) {
	for _, spot := range spots {
		if p.threats[spot.Cell] > 1 {
			p.parries[spot.Cell]++
			n++
		}
	}
	for _, pair := range p.pairs {
		for i, at := range pair {
			if p.threats[at] == 2 {
				p.parries[pair[1-i]]++
			}
		}
	}
	return n
}

// wins returns a move that makes two threats, or -1.
func (p *plans) wins() int {
	for _, pair := range p.pairs {
		for _, at := range pair {
			if p.threats[at] > 1 {
				return int(at)
			}
		}
	}
	return -1
}

// Study appends the moves that win or lose because of two threats at once.
func (g *expander) Study(path []mcts.Move, moves []mcts.Candidate) []mcts.Candidate {
	me := g.walk(path)
	if g.style.Blind || len(g.spots) == g.grid.NumCells {
		return moves // the other player may be about to swap
	}
	mine, theirs := &g.plans[0], &g.plans[1]
	if !mine.find(g.pos.Position, me, g.spots) || !theirs.find(g.pos.Position, me.Other(), g.spots) {
		return moves // Candidates saw it
	}
	if at := mine.wins(); at >= 0 {
		return append(moves, mcts.Candidate{Move: mcts.Move(at), Proof: mcts.Win})
	}
	if theirs.wins() < 0 {
		return moves
	}
	forks := theirs.forks(g.spots)
	for _, spot := range g.spots {
		at := int(spot.Cell)
		if theirs.parries[at] < forks && mine.threats[at] == 0 && !g.pos.Fills(me, at) {
			moves = append(moves, mcts.Candidate{Move: mcts.Move(at), Proof: mcts.Loss})
		}
	}
	return moves
}
