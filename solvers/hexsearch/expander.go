package hexsearch

import (
	"math"
	"math/bits"

	"gamebots/hexproto/havannah"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/mcts"
	"gamebots/solvers/playout"
)

// expander generates the moves of a game's positions.
type expander struct {
	*Game
	pos       cursor
	empty     []playout.EmptyCell
	threats   [2]threats                 // threats of the player to move, and of the other
	lonePrior [havannah.MaxCells]float32 // prior of a stone without an own one beside it
	index     [havannah.MaxCells]int32   // among the candidates, of the move on each empty cell
}

func (g *Game) expander() *expander {
	e := &expander{Game: g}
	for cell := range g.grid.NumCells {
		e.lonePrior[cell] = prior(g.grid.Border(cell), 0)
	}
	return e
}

// prior returns the prior of a stone with some own ones beside it, in a group with a
// border.
func prior(border havannah.Border, near int) float32 {
	return nearPrior*float32(near) + connectPrior*float32(bits.OnesCount16(uint16(border)))
}

// goTo goes to the position after a path, and returns the player to move there.
func (e *expander) goTo(path []mcts.Move) havannah.Colour {
	e.pos.reset(e.Game)
	for _, m := range path {
		e.pos.play(m)
	}
	e.empty = e.pos.EmptyCells(e.empty[:0])
	return e.pos.Turn()
}

// Candidates appends all moves, or the one that wins or is forced.
func (e *expander) Candidates(path []mcts.Move, moves []mcts.Candidate) []mcts.Candidate {
	me := e.goTo(path)
	last, keepers := e.pos.Last(), [havannah.NumNear]bool{}
	if last >= 0 {
		keepers = e.bridgeKeepers(last, me)
	}
	threats := 0
	var threat mcts.Candidate
	first := len(moves)
	for _, cell := range e.empty {
		at := int(cell.Cell)
		c := mcts.Candidate{Move: mcts.Move(at), Prior: e.lonePrior[at]}
		if cell.NearOwn {
			won, border, near := e.pos.Probe(me, at)
			if won != 0 {
				return append(moves[:first], mcts.Candidate{Move: mcts.Move(at), Proof: mcts.Win, Plies: 1})
			}
			c.Prior = prior(border, near)
		}
		if cell.NearOther {
			if won, _, _ := e.pos.Probe(me.Other(), at); won != 0 {
				threats++
				threat = c
			}
		}
		e.index[at] = int32(len(moves))
		moves = append(moves, c)
	}
	empty := len(e.empty)
	if last >= 0 {
		for d, keeps := range keepers {
			if keeps {
				e.addPrior(moves, e.grid.Near(last, d), bridgePrior)
			}
		}
	}
	canSwap := me == havannah.Black && empty == e.grid.NumCells-1 && e.board.NumMoves()+len(path) == 1
	switch {
	case threats > 0:
		moves = append(moves[:first], threat)
		if threats > 1 {
			moves[first].Proof, moves[first].Plies = mcts.Loss, 2
		} else if empty == 1 {
			moves[first].Proof = mcts.Draw
		}
	case empty == 1:
		moves[first].Proof = mcts.Draw
	}
	if canSwap {
		moves = append(moves, mcts.Candidate{Move: mcts.Move(e.grid.NumCells)})
	}
	return moves
}

// bridgeKeepers returns the directions from the opponent's last stone in which there is
// an empty cell that, with the cell of that stone, was a bridge between two own stones.
func (e *expander) bridgeKeepers(last int, me havannah.Colour) (keeps [havannah.NumNear]bool) {
	own := func(d int) bool {
		n := e.grid.Near(last, d%havannah.NumNear)
		return n < e.grid.NumCells && e.pos.HasStone(me, n)
	}
	for d := range havannah.NumNear {
		cell := e.grid.Near(last, d)
		keeps[d] = cell < e.grid.NumCells && e.pos.IsEmpty(cell) && own(d+1) && own(d+havannah.NumNear-1)
	}
	return keeps
}

// addPrior adds to the prior of the move on a cell, if it is empty.
func (e *expander) addPrior(moves []mcts.Candidate, cell int, bonus float32) {
	if e.pos.IsEmpty(cell) {
		moves[e.index[cell]].Prior += bonus
	}
}

var _ mcts.Adviser = (*adviser)(nil)

// adviser is an expander with a network.
type adviser struct {
	*expander
	encoder   *Encoder
	evaluator *hexnet.Evaluator
	planes    []uint8
	outputs   hexnet.Outputs
}

func newAdviser(g *Game) *adviser {
	return &adviser{expander: g.expander(), encoder: NewEncoder(g.grid),
		evaluator: hexnet.NewEvaluator(g.net, ShapeOf(g.grid), 1)}
}

// Advise appends the moves with their probabilities, times policyPrior, as priors. A
// network has no opinion before the second move, as it knows no swap.
func (a *adviser) Advise(path []mcts.Move, moves []mcts.Candidate) (advised []mcts.Candidate, value float32, ok bool) {
	a.goTo(path)
	if len(a.empty) >= a.grid.NumCells-1 {
		return moves, 0, false
	}
	a.planes = a.encoder.Append(a.planes[:0], a.pos.Position)
	if err := a.evaluator.Evaluate(a.planes, &a.outputs); err != nil {
		panic(err) // planes of another size
	}
	logits, highest, sum := a.outputs.Policy, float32(math.Inf(-1)), 0.0
	for _, cell := range a.empty {
		highest = max(highest, logits[cell.Cell])
	}
	first := len(moves)
	for _, cell := range a.empty {
		p := math.Exp(float64(logits[cell.Cell] - highest))
		sum += p
		moves = append(moves, mcts.Candidate{Move: mcts.Move(cell.Cell), Prior: float32(p)})
	}
	for i := range moves[first:] {
		moves[first+i].Prior *= policyPrior / float32(sum)
	}
	return moves, (1 + a.outputs.Value[0]) / 2, true
}

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
	if len(e.empty) == e.grid.NumCells {
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
