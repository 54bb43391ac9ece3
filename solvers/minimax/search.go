package minimax

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"unsafe"
)

// Options configure a search. The zero value is alpha-beta to the end of the game on
// one core.
type Options struct {
	// Depth is the depth limit in plies. 0 searches to the end of the game.
	Depth int
	// Plain searches without pruning.
	Plain bool
	// Unbounded starts with an infinite window, so that the search does not stop at a
	// proven win.
	Unbounded bool
	// Deepen searches depth by depth, until the score is proven or Depth is reached.
	Deepen bool
	// TableBits gives the search a transposition table of 2^TableBits entries, 24
	// bytes each. It needs a Keyed game. 0 is no table.
	TableBits int

	// Split searches each move of the root by itself, on Threads threads, at least
	// one. Nodes and results do not depend on Threads. There are more nodes than
	// without Split, as no move profits from another.
	Split   bool
	Threads int
	// Every scores all moves of the root, not only enough to find the best one. It
	// needs Split.
	Every bool

	Progress *Progress // updated during the search, if not nil
}

// TableBytes returns the memory of the threads' transposition tables.
func (o Options) TableBytes() int64 {
	if o.TableBits == 0 {
		return 0
	}
	return int64(unsafe.Sizeof(entry{})) * int64(o.Threads) << o.TableBits
}

// Progress is how far a search is. Any goroutine may read it during the search.
type Progress struct {
	Moves, Done atomic.Int64  // moves of the root, and those that are searched, with Split
	Nodes       atomic.Uint64 // slightly behind
}

// MaxDepth is the largest depth limit.
const MaxDepth = 1000

// A Result is the score of a position and the first of its best moves.
type Result[M any] struct {
	Best    M // the zero move if the game is over
	Score   Score
	Proven  bool // the score does not depend on the depth limit
	Nodes   uint64
	Depth   int         // searched; 0 is the end of the game
	Ratings []Rating[M] // ratings of the root's moves, with Options.Every
}

// A Rating is the score of a move for the player who makes it.
type Rating[M any] struct {
	Move   M
	Score  Score
	Proven bool
	Nodes  uint64
}

// ErrOptions is wrapped by errors about options or a space.
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

// Search searches a position. Each call of newGame returns the game at that position,
// for the use of one thread. The error is ErrOptions or the cause of ctx; with the
// latter, and Options.Every, the result has the ratings of the moves that are done.
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

// deepen searches to the depth of the options, at once or by iterative deepening.
func (s *searcher[G, M]) deepen() (Result[M], error) {
	defer s.report()
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
			return Result[M]{Best: best, Score: score, Proven: proven, Nodes: s.nodes, Depth: depth}, nil
		}
		depth++
	}
}

// A Score is the value of a position for the player to move. Win and Loss are proven
// results; scores between them are draws or estimates.
type Score int32

// The scores of won and lost games.
const (
	Win  Score = 1 << 20
	Loss       = -Win
)

// A Game is a game in progress, with moves M. Search uses it on one goroutine at a
// time.
type Game[M any] interface {
	// AppendMoves appends the legal moves in the order in which they are to be tried:
	// at least one and fewer than 65,536. The game is not over.
	AppendMoves([]M) []M
	// Make makes a legal move.
	Make(M)
	// Unmake takes back the last move.
	Unmake()
	// Score returns the result for the player to move if the game is over, and else
	// an estimate between Loss and Win, for the depth limit.
	Score() (s Score, over bool)
}

// A Keyed game has keys for a transposition table. Positions with the same key must
// have the same score at every depth: if keys can collide, a proof is only as good as
// collisions are rare.
type Keyed interface{ Key() uint64 }

// A StaticEvaluator is a game that can score the position after a move without making
// it, which makes the last ply of a search cheap. The score is for the player to move
// after the move.
type StaticEvaluator[M any] interface {
	ScoreAfter(M) (s Score, over bool)
}
