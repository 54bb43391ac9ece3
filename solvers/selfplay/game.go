package selfplay

import (
	"math"

	"gamebots/hexproto/havannah"
	"gamebots/internal/rng"
	"gamebots/solvers/hexsearch"
	"gamebots/solvers/mcts"
)

// The evaluations of a move. In each round of the games, one makes a move with
// fullEvaluations, which is recorded, or quickMoves moves with quickEvaluations (playout cap
// randomization: D. Wu, Accelerating self-play learning in Go, 2019). Moves that need no
// evaluation do not count.
const (
	fullEvaluations  = 32
	quickEvaluations = 8
	quickMoves       = fullEvaluations / quickEvaluations
)

// fullRounds of 7 rounds have a full move, so that a quarter of the moves are recorded.
const fullRounds = 4

// branches is the number of games of which one goes on: as a game that leaves it for a
// random move.
const branches = 20

// maxRandomMoves is the number of random moves after the first stone, at most.
const maxRandomMoves = 4

// game is a game that a network plays against itself. It has no swap: the network sees
// only which stones are those of the player to move, so that one would change nothing.
type game struct {
	grid   *havannah.Grid
	random rng.Stream
	board  havannah.Board
	moves  []uint16 // cells, the first stone's included
	record []sample // samples of this game, without results

	search    *hexsearch.Search
	searching bool
	rounds    int // rounds to come
	full      bool
	left      int // moves of the round
	finished  []sample
	played    Played // what was played in the rounds
	onEnd     func() // called with a finished game, if not nil: whose record has no results then
}

func newGame(g *havannah.Grid, seed uint64) *game {
	return &game{grid: g, random: rng.Stream(seed), search: hexsearch.NewSearch(g)}
}

// startRounds has the game go on for some rounds.
func (g *game) startRounds(n int) { g.rounds, g.finished, g.played = n, g.finished[:0], Played{} }

// startRound begins the next round. It reports false if that was the last one.
func (g *game) startRound() bool {
	if g.rounds == 0 {
		return false
	}
	g.rounds--
	if g.full, g.left = g.random.IntN(7) < fullRounds, quickMoves; g.full {
		g.left = 1
	}
	return true
}

// outcome is what a search has found: a gumbel.Search or a hexsearch.DeviceResult.
type outcome interface {
	Evaluated() bool
	Proof() mcts.Proof
	Best() mcts.Move
	Line() []mcts.Move
	Policy(policy []float32)
}

// evaluations returns the number of evaluations of a move of the round.
func (g *game) evaluations() int {
	if g.full {
		return fullEvaluations
	}
	return quickEvaluations
}

// begin goes on until a search needs evaluations. It reports false at the end of the last round,
// which is between two moves.
func (g *game) begin() bool {
	for g.left > 0 || g.startRound() {
		if len(g.moves) == 0 {
			g.open()
		}
		g.search.Start(&g.board, g.evaluations(), &g.random)
		if !g.search.Decided() {
			g.searching = true
			g.left--
			return true
		}
		g.move(g.search)
	}
	return false
}

// next goes on until a position must be evaluated. It reports false at the end of the last round.
func (g *game) next() bool {
	for {
		if g.searching {
			if g.search.Next() {
				g.played.Evaluations++
				return true
			}
			g.searching = false
			g.move(g.search)
		}
		if !g.begin() {
			return false
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
			if g.playRandom(); g.board.Over() {
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

// move makes the move that a search has found. It ends the game where the search has
// proved how it ends.
func (g *game) move(o outcome) {
	g.played.Moves++
	if g.full && o.Evaluated() {
		g.record = append(g.record, newSample(g, o))
	}
	if o.Proof() == mcts.Unknown {
		g.play(o.Best())
		if !g.board.Over() {
			return
		}
	} else {
		g.playOut(o.Line())
	}
	g.finish()
}

// playOut plays a proved game to its end: where the line of the search ends, the next moves
// are proved without a search.
func (g *game) playOut(line []mcts.Move) {
	for _, m := range line {
		g.play(m)
	}
	for !g.board.Over() {
		all := hexsearch.NewGame(&g.board).Expander().Candidates(nil, nil)
		g.play(all[0].Move)
	}
}

// finish gives the recorded positions the result of the game.
func (g *game) finish() {
	if g.onEnd != nil {
		g.onEnd()
	} else {
		for i := range g.record {
			g.record[i].finish(&g.board, g.moves)
		}
		g.finished = append(g.finished, g.record...)
	}
	g.record = g.record[:0]
	g.played.Games++
	if g.random.IntN(branches) > 0 || !g.branch() {
		g.moves = g.moves[:0]
	}
}

// branch goes back to a position of the game, and makes a random move there. It reports false
// if that ends the game.
func (g *game) branch() bool {
	g.moves = g.moves[:1+g.random.IntN(len(g.moves)-1)]
	board, err := boardAfter(g.grid, g.moves)
	if err != nil {
		panic(err)
	}
	g.board = board
	g.playRandom()
	return !g.board.Over()
}

// playRandom makes a random move, which is not a swap.
func (g *game) playRandom() {
	legal := g.board.AppendMoves(nil)
	m := legal[g.random.IntN(len(legal))]
	for m == havannah.Swap {
		m = legal[g.random.IntN(len(legal))]
	}
	g.play(mcts.Move(m))
}

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
