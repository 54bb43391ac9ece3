package havannah

import (
	"math/bits"

	"gamebots/hexproto/havannah"
	"gamebots/solvers/mcts"
	"gamebots/solvers/playout"
)

// Weights are the bonuses of moves, in shares of a game won.
type Weights struct {
	Near    float32 // an own stone beside it
	Connect float32 // an edge or a corner that its group is connected to
	Bridge  float32 // it keeps a bridge that the opponent's last stone threatens
}

// Style is what a search knows.
type Style struct {
	Weights
	// Permanent is how many stones beside the one that closes a ring must have stood
	// on the board before a random game for the ring to count in it.
	Permanent int
	// Replies keep bridges in random games: see [playout.Position.Rollout]. They win
	// games of a few thousand simulations a move, and lose games of many.
	Replies bool
	// Blind sees moves that win, and no threats of the other player.
	Blind bool
}

// DefaultStyle is what did best in matches; gamebots bench player tells what each
// part of it is worth.
var DefaultStyle = Style{Weights: Weights{Near: 0.02, Connect: 0.1, Bridge: 0.3}, Permanent: 2}

// Game is a game of Havannah for a search. Moves are numbered by their cells; a
// swap has the number of cells.
type Game struct {
	board *havannah.Board // the root
	grid  *havannah.Grid
	style Style
	key   uint64 // the root's
}

var _ mcts.Game = (*Game)(nil)

// NewGame returns a game whose root is a copy of a board, on which the game is not
// over.
func NewGame(b *havannah.Board, s Style) *Game {
	board := *b
	return &Game{board: &board, grid: b.Grid(), style: s, key: keyOf(b)}
}

// NumMoves returns the number of cells, and one for the swap.
func (g *Game) NumMoves() int { return g.grid.NumCells + 1 }

// Move returns a move as a board knows it.
func (g *Game) Move(m mcts.Move) havannah.Move {
	if int(m) == g.grid.NumCells {
		return havannah.Swap
	}
	return havannah.Move(m)
}

// Number returns a board's move as a search knows it.
func (g *Game) Number(m havannah.Move) mcts.Move {
	if m == havannah.Swap {
		return mcts.Move(g.grid.NumCells)
	}
	return mcts.Move(m)
}

// Board returns the root.
func (g *Game) Board() *havannah.Board { return g.board }

func play(p *playout.Position, m mcts.Move) {
	if int(m) == p.Grid().NumCells {
		p.Swap()
	} else {
		p.Play(int(m))
	}
}

// Advance makes a legal move that does not end the game the root's.
func (g *Game) Advance(m mcts.Move) {
	if err := g.board.Play(g.Move(m)); err != nil {
		panic(err)
	}
	g.key = keyOf(g.board)
}

// root is a position that can go back to a game's root.
type root struct {
	*playout.Position
	moves int // of the game when the position was made
}

// reset makes the position the game's root.
func (r *root) reset(g *Game) {
	if r.Position == nil || r.moves != g.board.NumMoves() {
		r.Position, r.moves = playout.NewPosition(g.board), g.board.NumMoves()
	}
	r.Reset()
}

// expander sees a game's positions.
type expander struct {
	*Game
	pos   root
	spots []playout.Spot
	plans [2]plans                   // of who is to move, and of the other
	alone [havannah.MaxCells]float32 // the prior of a stone with no own one beside it
	place [havannah.MaxCells]int32   // of the move on each empty cell among the candidates
}

// prior is that of a stone in a group with a border, with so many own ones beside
// it.
func (s *Style) prior(border havannah.Border, near int) float32 {
	return s.Near*float32(near) + s.Connect*float32(bits.OnesCount16(uint16(border)))
}

// Expander returns something for one goroutine to see positions with.
func (g *Game) Expander() mcts.Expander { return g.expander() }

func (g *Game) expander() *expander {
	e := &expander{Game: g}
	for at := range g.grid.NumCells {
		e.alone[at] = g.style.prior(g.grid.Border(at), 0)
	}
	return e
}

// walk goes to the position after a path, and returns who is to move there.
func (g *expander) walk(path []mcts.Move) havannah.Colour {
	g.pos.reset(g.Game)
	for _, m := range path {
		play(g.pos.Position, m)
	}
	g.spots = g.pos.Spots(g.spots[:0])
	return g.pos.Turn()
}

// Candidates appends the moves worth trying: all, or the one that is forced.
func (g *expander) Candidates(path []mcts.Move, moves []mcts.Candidate) []mcts.Candidate {
	me := g.walk(path)
	last, bridges := g.pos.Last(), [havannah.NumNear]bool{}
	if last >= 0 {
		bridges = g.threatened(last, me)
	}
	threats := 0
	var threat mcts.Candidate
	first := len(moves)
	for _, spot := range g.spots {
		at := int(spot.Cell)
		c := mcts.Candidate{Move: mcts.Move(at), Prior: g.alone[at]}
		if spot.Beside {
			won, border, near := g.pos.Look(me, at)
			if won != 0 {
				return append(moves[:first], mcts.Candidate{Move: mcts.Move(at), Proof: mcts.Win})
			}
			c.Prior = g.style.prior(border, near)
		}
		if spot.Other && !g.style.Blind {
			if won, _, _ := g.pos.Look(me.Other(), at); won != 0 {
				threats++
				threat = c
			}
		}
		g.place[at] = int32(len(moves))
		moves = append(moves, c)
	}
	empty := len(g.spots)
	if last >= 0 {
		for d, keeps := range bridges {
			if keeps {
				g.add(moves, g.grid.Near(last, d), g.style.Bridge)
			}
		}
	}
	canSwap := me == havannah.Black && empty == g.grid.NumCells-1 && g.board.NumMoves()+len(path) == 1
	switch {
	case threats > 0:
		moves = append(moves[:first], threat)
		if threats > 1 {
			moves[first].Proof = mcts.Loss
		} else if empty == 1 {
			moves[first].Proof = mcts.Draw
		}
	case empty == 1:
		moves[first].Proof = mcts.Draw
	}
	if canSwap {
		moves = append(moves, mcts.Candidate{Move: mcts.Move(g.grid.NumCells)})
	}
	return moves
}

// threatened returns the directions from the opponent's last stone in which there
// is an empty cell that, with that stone's, was a bridge between two own stones.
func (g *expander) threatened(last int, me havannah.Colour) (keeps [havannah.NumNear]bool) {
	own := func(d int) bool {
		n := g.grid.Near(last, d%havannah.NumNear)
		return n < g.grid.NumCells && g.pos.Has(me, n)
	}
	for d := range havannah.NumNear {
		at := g.grid.Near(last, d)
		keeps[d] = at < g.grid.NumCells && g.pos.Empty(at) && own(d+1) && own(d+havannah.NumNear-1)
	}
	return keeps
}

// add adds to the prior of the move on a cell, if it is there.
func (g *expander) add(moves []mcts.Candidate, at int, bonus float32) {
	if g.pos.Empty(at) {
		moves[g.place[at]].Prior += bonus
	}
}
