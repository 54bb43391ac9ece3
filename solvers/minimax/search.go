package minimax

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
)

// Options say how to search. The zero value is alpha-beta to the end of the game
// on one core.
type Options struct {
	Depth     int  // plies; 0: to the end of the game
	Plain     bool // minimax without pruning
	Unbounded bool // alpha-beta that does not stop at a proven win
	Deepen    bool // depth by depth, until the score is proven or Depth is reached
	TableBits int  // 2^TableBits entries of 24 bytes each; 0: no table. The game is Keyed.

	// Split searches the moves of the root each by itself, on as many threads as
	// Threads says, at least one. Nodes and results do not depend on Threads,
	// but nodes are more than without Split, as no move profits from another.
	Split   bool
	Threads int
	// Every scores all moves of the root, not only enough to know the best. It
	// goes with Split.
	Every bool

	Progress *Progress // if not nil, is kept up to date
}

// Progress is how far a search has come. Others may read it meanwhile.
type Progress struct {
	Moves, Done atomic.Int64  // of the root, with Split
	Nodes       atomic.Uint64 // a little behind
}

// MaxDepth is the largest limit of a depth.
const MaxDepth = 1000

// Result is what a search has found.
type Result[M any] struct {
	Best    M // the first of the best moves; the zero move if the game is over
	Score   Score
	Proven  bool // the score is that of the whole game
	Nodes   uint64
	Depth   int         // that was searched; 0: to the end
	Ratings []Rating[M] // of the root's moves, with Options.Every
}

// Rating is the score of a move, for who makes it.
type Rating[M any] struct {
	Move   M
	Score  Score
	Proven bool
	Nodes  uint64
}

// ErrOptions is wrapped by errors of options that do not go together.
var ErrOptions = errors.New("minimax")

func (o *Options) check(keyed bool) error {
	switch {
	case o.Depth < 0 || o.Depth > MaxDepth:
		return fmt.Errorf("%w: depth: %d is not from 1 to %d, nor 0 for no limit", ErrOptions, o.Depth, MaxDepth)
	case o.TableBits < 0 || o.TableBits > 36:
		return fmt.Errorf("%w: table: 2^%d entries", ErrOptions, o.TableBits)
	case o.TableBits > 0 && !keyed:
		return fmt.Errorf("%w: table: the game has no keys", ErrOptions)
	case o.Plain && o.TableBits > 0:
		return fmt.Errorf("%w: table: plain minimax has none", ErrOptions)
	case o.Every && !o.Split:
		return fmt.Errorf("%w: every move is scored by a split search only", ErrOptions)
	case o.Deepen && o.Depth == 0:
		return fmt.Errorf("%w: depth: deepening needs a limit", ErrOptions)
	}
	return nil
}

// Search searches from a position. Each call of newGame returns the game at that
// position, for a thread of its own. The error is that of the options, or the
// context's cause.
func Search[G Game[M], M any](ctx context.Context, newGame func() G, o Options) (Result[M], error) {
	g := newGame()
	_, keyed := any(g).(Keyed)
	if err := o.check(keyed); err != nil {
		return Result[M]{}, err
	}
	if s, over := g.Score(); over {
		return Result[M]{Score: s, Proven: true, Depth: o.Depth}, nil
	}
	if o.Split {
		return split[G, M](ctx, newGame, o)
	}
	s := newSearcher[G, M](ctx, g, o)
	return s.deepen()
}

// deepen searches the depths that are asked for.
func (s *searcher[G, M]) deepen() (Result[M], error) {
	defer s.tell()
	depth := s.Depth
	if s.Deepen {
		depth = 1
	}
	for {
		score, best, open, err := s.root(depth)
		if err != nil {
			return Result[M]{}, err
		}
		proven := !open || score >= Win || score <= Loss
		if proven || depth == s.Depth {
			return Result[M]{Best: s.moves[best], Score: score, Proven: proven, Nodes: s.nodes, Depth: depth}, nil
		}
		depth++
	}
}
