package havannah

import (
	"slices"

	"gamebots/hexproto/havannah"
	"gamebots/internal/rng"
	"gamebots/solvers/gumbel"
	"gamebots/solvers/hexnet"
	encoding "gamebots/solvers/hexnet/havannah"
	"gamebots/solvers/mcts"
	mctshavannah "gamebots/solvers/mcts/havannah"
	"gamebots/solvers/playout"
)

// Search searches positions of one size. One goroutine uses it at a time.
type Search struct {
	gumbel.Search
	grid    *havannah.Grid
	encoder *encoding.Encoder
	random  *rng.Stream // nil for no symmetries

	game      *mctshavannah.Game // whose root is the board
	expander  mcts.Expander      // of the game
	position  *playout.Position  // whose root is the board
	swapAfter int                // moves until the opponent's stone can be swapped, -1 for never
	planes    []uint8            // of the position that Next went to
	turned    []uint8
	waiting   []waiting // positions, first the one that is set next
	logits    []float32
}

// waiting is a position that waits for the network.
type waiting struct {
	canSwap  bool
	symmetry encoding.Symmetry // under which the network sees it
}

// swapLogit is the logit of a swap by a player who would rather lose. Minus it is that of
// a swap by one who would rather win.
const swapLogit = 8

// NewSearch returns a search of boards of a grid.
func NewSearch(g *havannah.Grid) *Search {
	return &Search{grid: g, encoder: encoding.NewEncoder(g), turned: make([]uint8, g.NumCells*hexnet.Planes), logits: make([]float32, g.NumCells+1)}
}

// Start begins a search of a board on which the game is not over, with a number of
// evaluations at most. Random may be nil.
func (s *Search) Start(b *havannah.Board, evaluations int, random *rng.Stream) {
	s.random = random
	if s.game == nil {
		s.game, s.position = mctshavannah.NewGame(b, mctshavannah.DefaultParams), playout.NewPosition(b)
		s.expander = s.game.Expander()
	} else {
		s.game.SetRoot(b)
		s.position.SetRoot(b)
	}
	s.waiting = s.waiting[:0]
	switch s.swapAfter = -1; {
	case b.NumMoves() == 1 && b.CanSwap():
		s.swapAfter = 0
	case b.Empty():
		s.swapAfter = 1
	}
	s.Search.Start(s.expander, evaluations, random)
}

// Next goes to the next position to evaluate. It reports false when the search is over, or when
// the next position depends on one that waits: see [gumbel.Search.Next].
func (s *Search) Next() bool {
	path, ok := s.Search.Next()
	if !ok {
		return false
	}
	s.position.Reset()
	for _, m := range path {
		if int(m) == s.grid.NumCells {
			s.position.Swap()
		} else {
			s.position.Play(int(m))
		}
	}
	s.planes = s.encoder.Append(s.planes[:0], s.position)
	all := encoding.Symmetries(s.grid)
	w := waiting{len(path) == s.swapAfter, all[0]}
	if s.random != nil {
		w.symmetry = all[s.random.IntN(len(all))]
		encoding.Turn(s.turned, s.planes, w.symmetry, hexnet.Planes)
		s.planes, s.turned = s.turned, s.planes
	}
	s.waiting = append(s.waiting, w)
	return true
}

// Planes returns what the network sees of the position, until the next call of Next.
func (s *Search) Planes() []uint8 { return s.planes }

// Set sets the network's answer for the first position that waits: that of a board in a batch.
func (s *Search) Set(o *hexnet.Outputs, board int) {
	w := s.waiting[0]
	s.waiting = slices.Delete(s.waiting, 0, 1)
	policy, value := o.Policy[board*s.grid.NumCells:][:s.grid.NumCells], o.Value[board]
	for cell, image := range w.symmetry {
		s.logits[cell] = policy[image]
	}
	if s.logits[s.grid.NumCells] = -swapLogit; w.canSwap && value < 0 {
		s.logits[s.grid.NumCells], value = swapLogit, -value
	}
	s.Evaluate(s.logits, value)
}

// Move returns the board's move of a number.
func (s *Search) Move(m mcts.Move) havannah.Move {
	if int(m) == s.grid.NumCells {
		return havannah.Swap
	}
	return havannah.Move(m)
}
