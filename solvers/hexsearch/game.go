package hexsearch

import (
	"math/rand/v2"
	"slices"

	"gamebots/hexproto/havannah"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/mcts"
	"gamebots/solvers/playout"
)

// The priors of moves, in wins per game. With permanentStones they did best in matches:
// docs/benchmarks/player.md has what each of them is worth.
const (
	nearPrior    = 0.02 // for each own stone beside it
	connectPrior = 0.1  // for each edge and corner that its group is connected to
	bridgePrior  = 0.3  // if it keeps a bridge that the opponent's last stone threatens
	policyPrior  = 1    // for all of the probability of a network's policy
)

// permanentStones is the number of stones beside the one that closes a ring that must have been on
// the board before the playout for the ring to count.
const permanentStones = 2

// Game is a game of Havannah for a search. The number of a move is that of its cell; a
// swap has the number of cells.
type Game struct {
	board     *havannah.Board // the root
	roots     int             // roots that there were
	grid      *havannah.Grid
	permanent int         // permanentStones, but in tests
	key       uint64      // key of the root
	net       *hexnet.Net // nil for none
}

var _ mcts.Game = (*Game)(nil)

// NewGame returns a game whose root is a copy of a board. The game must not be over
// there.
func NewGame(b *havannah.Board) *Game {
	board := *b
	return &Game{board: &board, grid: b.Grid(), permanent: permanentStones, key: keyOf(b)}
}

// NewAdvisedGame returns a game as [NewGame] does, whose expanders ask a network for its
// opinion: they implement [mcts.Adviser]. Without a network it is NewGame.
func NewAdvisedGame(b *havannah.Board, n *hexnet.Net) *Game {
	g := NewGame(b)
	g.net = n
	return g
}

// NumMoves returns the number of cells plus one, for the swap.
func (g *Game) NumMoves() int { return g.grid.NumCells + 1 }

// Move returns the board's move of a number.
func (g *Game) Move(m mcts.Move) havannah.Move {
	if int(m) == g.grid.NumCells {
		return havannah.Swap
	}
	return havannah.Move(m)
}

// Number returns the number of a board's move.
func (g *Game) Number(m havannah.Move) mcts.Move {
	if m == havannah.Swap {
		return mcts.Move(g.grid.NumCells)
	}
	return mcts.Move(m)
}

// Board returns the root. The caller must not change it.
func (g *Game) Board() *havannah.Board { return g.board }

// Advance makes a legal move. It must not end the game.
func (g *Game) Advance(m mcts.Move) {
	if err := g.board.Play(g.Move(m)); err != nil {
		panic(err)
	}
	g.key = keyOf(g.board)
	g.roots++
}

// SetRoot makes a copy of another board of the same size the root. The game must not be over
// there.
func (g *Game) SetRoot(b *havannah.Board) {
	*g.board = *b
	g.key = keyOf(g.board)
	g.roots++
}

// Expander returns an expander for one goroutine. It implements [mcts.Studier] and
// [mcts.Keyer].
func (g *Game) Expander() mcts.Expander {
	if g.net != nil {
		return newAdviser(g)
	}
	return g.expander()
}

// cursor is a position that can return to the root of a game.
type cursor struct {
	*playout.Position
	root int // its number in the game
}

// reset returns to the root.
func (c *cursor) reset(g *Game) {
	switch {
	case c.Position == nil:
		c.Position = playout.NewPosition(g.board)
	case c.root != g.roots:
		c.SetRoot(g.board)
	}
	c.root = g.roots
	c.Reset()
}

// play makes a legal move.
func (c *cursor) play(m mcts.Move) {
	if int(m) == c.Grid().NumCells {
		c.Swap()
	} else {
		c.Play(int(m))
	}
}

// DecidedAtOnce returns the cells of the root on which a stone completes a structure: of
// the player to move, and of the other. A search has candidates for at most one of these
// cells, and none for the moves that lose to the other player's.
func (g *Game) DecidedAtOnce() (mine, theirs []mcts.Move) {
	e := g.expander()
	me := e.goTo(nil)
	for _, cell := range e.empty {
		m := mcts.Move(cell.Cell)
		if won, _, _ := e.pos.Probe(me, int(cell.Cell)); won != 0 {
			mine = append(mine, m)
		}
		if won, _, _ := e.pos.Probe(me.Other(), int(cell.Cell)); won != 0 {
			theirs = append(theirs, m)
		}
	}
	return mine, theirs
}

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
