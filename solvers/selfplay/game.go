package selfplay

import (
	"gamebots/hexproto/havannah"
	"gamebots/internal/rng"
	search "gamebots/solvers/gumbel/havannah"
	"gamebots/solvers/mcts"
	mctshavannah "gamebots/solvers/mcts/havannah"
)

// The evaluations of a move. In each round of the games, one makes a move with
// fullEvaluations, which is recorded, or several with quickEvaluations (playout cap
// randomization: D. Wu, Accelerating self-play learning in Go, 2019).
const (
	fullEvaluations  = 32
	quickEvaluations = 8
)

// fullRounds of 7 rounds have one full move, the others four quick ones: so a quarter of
// the moves are recorded.
const fullRounds = 4

// maxRandomMoves is the number of random moves after the first stone, at most.
const maxRandomMoves = 4

// game is a game that a network plays against itself. It has no swap: the network sees
// only which stones are those of the player to move, so that one would change nothing.
type game struct {
	grid   *havannah.Grid
	random rng.Stream
	board  havannah.Board
	moves  []uint16 // cells, the first stone's included
	record []sample // of this game, without results

	search    *search.Search
	searching bool
	full      bool
	left      int // evaluations of the round
	finished  []sample
	games     int // finished in the round
}

func newGame(g *havannah.Grid, seed uint64) *game {
	return &game{grid: g, random: rng.Stream(seed), search: search.NewSearch(g)}
}

// startRound begins a round.
func (g *game) startRound() {
	g.full, g.left = g.random.IntN(7) < fullRounds, fullEvaluations
	g.finished, g.games = g.finished[:0], 0
}

// next goes on until a position must be evaluated. It reports false at the end of the
// round, which is between two moves.
func (g *game) next() bool {
	for {
		switch {
		case g.searching && g.search.Next():
			g.left--
			return true
		case g.searching:
			g.searching = false
			g.move()
		case g.full && g.left < fullEvaluations || g.left < quickEvaluations:
			return false
		default:
			if len(g.moves) == 0 {
				g.open()
			}
			evaluations := quickEvaluations
			if g.full {
				evaluations = fullEvaluations
			}
			g.search.Start(&g.board, evaluations, &g.random)
			g.searching = true
		}
	}
}

// open begins a game: with a first stone, all orbits of cells being as likely, and up to
// maxRandomMoves random moves. A game that they end is forgotten.
func (g *game) open() {
	for ok := false; !ok; {
		g.moves = append(g.moves[:0], randomOrbit(g.grid, &g.random))
		board, err := boardAfter(g.grid, g.moves)
		if err != nil {
			panic(err)
		}
		g.board = board
		for range g.random.IntN(maxRandomMoves + 1) {
			legal := g.board.AppendMoves(nil)
			m := legal[g.random.IntN(len(legal))]
			if m == havannah.Swap {
				continue
			}
			if g.play(mcts.Move(m)); g.board.Over() {
				break
			}
		}
		ok = !g.board.Over()
	}
}

// randomOrbit returns a cell. All sets of cells that are images of each other are as
// likely.
func randomOrbit(g *havannah.Grid, random *rng.Stream) uint16 {
	orbits := g.Orbits()
	return uint16(orbits[random.IntN(len(orbits))])
}

// boardAfter returns the board after moves of which the first is a white stone that cannot
// be swapped.
func boardAfter(g *havannah.Grid, moves []uint16) (havannah.Board, error) {
	b, err := havannah.Setup(g.Side, []havannah.Move{havannah.Move(moves[0])}, nil, havannah.Black)
	if err != nil {
		return havannah.Board{}, err
	}
	for _, m := range moves[1:] {
		if err := b.Play(havannah.Move(m)); err != nil {
			return havannah.Board{}, err
		}
	}
	return *b, nil
}

func (g *game) play(m mcts.Move) {
	if err := g.board.Play(havannah.Move(m)); err != nil {
		panic(err)
	}
	g.moves = append(g.moves, uint16(m))
}

// move makes the move of a search that is over. It ends the game where the search has
// proved how it ends.
func (g *game) move() {
	if g.full && g.search.Evaluated() {
		g.record = append(g.record, newSample(g))
	}
	if g.search.Proof() == mcts.Unknown {
		g.play(g.search.Best())
		if !g.board.Over() {
			return
		}
	} else {
		g.playOut()
	}
	g.finish()
}

// playOut plays a proved game to its end: where the tree of the search ends, the next moves
// are proved without a search.
func (g *game) playOut() {
	for _, m := range g.search.Line() {
		g.play(m)
	}
	for !g.board.Over() {
		all := mctshavannah.NewGame(&g.board, mctshavannah.DefaultParams).Expander().Candidates(nil, nil)
		g.play(all[0].Move)
	}
}

// finish gives the recorded positions the result of the game.
func (g *game) finish() {
	for i := range g.record {
		g.record[i].finish(&g.board, g.moves)
	}
	g.finished = append(g.finished, g.record...)
	g.record, g.moves = g.record[:0], g.moves[:0]
	g.games++
}
