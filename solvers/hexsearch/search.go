package hexsearch

import (
	"context"
	"math"
	"slices"

	"gamebots/hexproto/havannah"
	"gamebots/internal/parallel"
	"gamebots/internal/rng"
	"gamebots/solvers/gumbel"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/mcts"
	"gamebots/solvers/playout"
)

// Search searches positions of one size. One goroutine uses it at a time.
type Search struct {
	gumbel.Search
	// Threads describe the positions of a batch to the network; 0 is 1.
	Threads int

	grid   *havannah.Grid
	random *rng.Stream // nil for no symmetries

	game       *Game         // whose root is the board
	expander   mcts.Expander // expander of the game
	swapAfter  int           // moves until the opponent's stone can be swapped, -1 for never
	paths      [][]mcts.Move // to the positions of a batch
	planes     []uint8       // planes of the positions
	describers []*describer  // describer by thread
	waiting    []waiting     // positions, first the one that is set next
	logits     []float32
}

// describer describes positions to the network, on one thread.
type describer struct {
	position *playout.Position // whose root is the board
	encoder  *Encoder
	turned   []uint8
}

// waiting is a position that waits for the network.
type waiting struct {
	canSwap  bool
	symmetry Symmetry // under which the network sees it
}

// swapLogit is the logit of a swap by a player who would rather lose. Minus it is that of
// a swap by one who would rather win.
const swapLogit = 8

// NewSearch returns a search of boards of a grid.
func NewSearch(g *havannah.Grid) *Search {
	return &Search{grid: g, logits: make([]float32, g.NumCells+1)}
}

// Start begins a search of a board on which the game is not over, with at most
// the given evaluations. Random may be nil.
func (s *Search) Start(b *havannah.Board, evaluations int, random *rng.Stream) {
	s.random = random
	if s.game == nil {
		s.game = NewGame(b)
		s.expander = s.game.Expander()
	} else {
		s.game.SetRoot(b)
	}
	for _, d := range s.describers {
		d.position.SetRoot(b)
	}
	for len(s.describers) < max(s.Threads, 1) {
		s.describers = append(s.describers, &describer{playout.NewPosition(b), NewEncoder(s.grid), nil})
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
func (s *Search) Next() bool { return s.NextBatch(1) == 1 }

// NextBatch is Next for up to most positions, and returns how many there are.
func (s *Search) NextBatch(most int) (positions int) {
	first, symmetries := len(s.waiting), Symmetries(s.grid)
	for ; positions < most; positions++ {
		path, ok := s.Search.Next()
		if !ok {
			break
		}
		w := waiting{len(path) == s.swapAfter, symmetries[0]}
		if s.random != nil {
			w.symmetry = symmetries[s.random.IntN(len(symmetries))]
		}
		s.waiting = append(s.waiting, w)
		if len(s.paths) == positions {
			s.paths = append(s.paths, nil)
		}
		s.paths[positions] = append(s.paths[positions][:0], path...)
	}
	size := s.grid.NumCells * hexnet.Planes
	s.planes = slices.Grow(s.planes[:0], positions*size)[:positions*size]
	parallel.For(len(s.describers), positions, func(worker, i int) {
		d, planes := s.describers[worker], s.planes[i*size:][:0:size]
		d.position.Reset()
		for _, m := range s.paths[i] {
			if int(m) == s.grid.NumCells {
				d.position.Swap()
			} else {
				d.position.Play(int(m))
			}
		}
		if s.random == nil {
			d.encoder.Append(planes, d.position)
			return
		}
		d.turned = d.encoder.Append(d.turned[:0], d.position)
		Turn(planes[:size], d.turned, s.waiting[first+i].symmetry, hexnet.Planes)
	})
	return positions
}

// Planes returns what the network sees of the positions, until the next call of Next or NextBatch.
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
func (s *Search) Move(m mcts.Move) havannah.Move { return s.game.Move(m) }

// A Network answers for a batch of positions: a [hexnet.Evaluator] or a [hexnet.Device].
type Network interface {
	Evaluate(planes []uint8, o *hexnet.Outputs) error
}

// FirstStone returns the first move of a game in which the opponent may swap: one after
// which the network expects the most even game. The value is that of the player who makes
// it. Symmetric cells count as one. The network gets batches of cells; once ctx has ended,
// the cells that it has not seen by then do not count.
func FirstStone(
	ctx context.Context, n Network, g *havannah.Grid, batch int,
) (best havannah.Move, value float64, err error) {
	encoder, planes, outputs := NewEncoder(g), []uint8(nil), hexnet.Outputs{}
	value = math.Inf(-1)
	for cells := range slices.Chunk(g.Orbits(), batch) {
		if ctx.Err() != nil && !math.IsInf(value, -1) {
			break
		}
		planes = planes[:0]
		for _, cell := range cells {
			b, err := havannah.Setup(g.Side, []havannah.Move{cell}, nil, havannah.Black)
			if err != nil {
				return 0, 0, err
			}
			planes = encoder.Append(planes, playout.NewPosition(b))
		}
		if err := n.Evaluate(planes, &outputs); err != nil {
			return 0, 0, err
		}
		for i, cell := range cells {
			if v := -math.Abs(float64(outputs.Value[i])); v > value {
				best, value = cell, v
			}
		}
	}
	return best, value, nil
}
