package minimax

import (
	"context"
)

// A searcher is the search of one thread.
type searcher[G Game[M], M any] struct {
	Options
	ctx      context.Context
	game     G
	keyed    Keyed              // the game, if there is a table
	static   StaticEvaluator[M] // the game, if it is one
	table    *table
	moves    []M // moves of the positions on the path
	nodes    uint64
	check    uint64 // the number of nodes at which ctx is checked next
	err      error  // the cause of ctx, which ends the search
	reported uint64 // nodes that Progress includes
}

const (
	unlimited int16 = -1
	infinite        = Win + 1
	// checkNodes is the number of nodes between checks of a context.
	checkNodes = 1 << 14
)

func newSearcher[G Game[M], M any](ctx context.Context, g G, o Options) *searcher[G, M] {
	s := &searcher[G, M]{Options: o, ctx: ctx, game: g}
	s.static, _ = any(g).(StaticEvaluator[M])
	if o.TableBits > 0 {
		s.table = newTable(o.TableBits)
		s.keyed = any(g).(Keyed)
	}
	return s
}

// window returns the first window of a search. No score is outside of it. Unless it is
// infinite, the search may stop at its bounds.
func (o *Options) window() (alpha, beta Score) {
	if o.Plain || o.Unbounded {
		return -infinite, infinite
	}
	return Loss, Win
}

// root searches the current position, which is not over.
func (s *searcher[G, M]) root(depth int) (score Score, best M, open bool, err error) {
	alpha, beta := s.window()
	limit := int16(depth)
	if depth == 0 {
		limit = unlimited
	}
	score, i, open := s.search(limit, alpha, beta)
	if s.err != nil {
		return 0, best, false, s.err
	}
	return score, s.moves[:i+1][i], open, nil
}

// search searches the current position, which is not over. It returns the index of the best move, and whether some
// score depends on the depth limit.
func (s *searcher[G, M]) search(depth int16, alpha, beta Score) (score Score, best int, open bool) {
	var key uint64
	if s.table != nil {
		key = s.keyed.Key()
		if e := s.table.find(key, depth); e != nil && (e.bound == exact || e.bound == lowerBound && e.score >= beta ||
			e.bound == upperBound && e.score <= alpha) {
			return e.score, int(e.best), e.open
		}
	}
	first, floor := len(s.moves), alpha
	s.moves = s.game.AppendMoves(s.moves)
	n := len(s.moves) - first
	front := s.guess(key, depth, n)
	score = -infinite
	for next := 0; next < n && alpha < beta; next++ {
		if s.nodes >= s.check {
			s.err = context.Cause(s.ctx)
			s.check = s.nodes + checkNodes
			s.report()
		}
		// The front move comes first; the moves before it are each one later.
		i := next
		if next == 0 {
			i = front
		} else if next <= front {
			i = next - 1
		}
		s.nodes++
		found, depends := s.after(s.moves[first+i], depth, alpha, beta)
		if s.err != nil {
			break
		}
		open = open || depends
		if found > score {
			score, best = found, i
			if !s.Plain {
				alpha = max(alpha, score)
			}
		}
	}
	s.moves = s.moves[:first]
	if s.table == nil || s.err != nil {
		return score, best, open
	}
	e := entry{key: key, score: score, depth: depth, best: uint16(best), open: open, bound: exact}
	switch {
	case score <= floor:
		e.bound = upperBound
	case score >= beta:
		e.bound = lowerBound
	}
	*s.table.slot(key, depth) = e
	return score, best, open
}

// guess returns the index of the best move of the search one ply shallower.
func (s *searcher[G, M]) guess(key uint64, depth int16, moves int) int {
	if !s.Deepen || s.table == nil {
		return 0
	}
	if e := s.table.find(key, depth-1); e != nil && int(e.best) < moves {
		return int(e.best)
	}
	return 0
}

// report updates Progress.
func (s *searcher[G, M]) report() {
	if s.Progress != nil {
		s.Progress.Nodes.Add(s.nodes - s.reported)
		s.reported = s.nodes
	}
}

// after returns the score of a move in a position with some plies and a window left, for the player who makes it, and
// whether it depends on the depth limit.
func (s *searcher[G, M]) after(m M, depth int16, alpha, beta Score) (score Score, open bool) {
	if depth == 1 && s.static != nil {
		score, over := s.static.ScoreAfter(m)
		return -score, !over
	}
	s.game.Make(m)
	score, over := s.game.Score()
	if open = !over; open && depth != 1 {
		if depth != unlimited {
			depth--
		}
		if alpha, beta = -beta, -alpha; s.Plain {
			alpha, beta = s.window()
		}
		score, _, open = s.search(depth, alpha, beta)
	}
	s.game.Unmake()
	return -score, open
}

// A bound is the relation of an entry's score to the true one.
type bound uint8

const (
	none bound = iota
	exact
	lowerBound
	upperBound
)

// An entry is the score of a position at a depth.
type entry struct {
	key   uint64
	score Score
	depth int16
	best  uint16 // the index of the best move
	bound bound
	open  bool // some score depends on the depth limit
}

// A table has one entry per slot. The newest always stays, so that the content depends
// on the search only.
type table struct {
	slots []entry
	shift uint
}

func newTable(bits int) *table {
	return &table{make([]entry, 1<<bits), uint(64 - bits)}
}

// slot returns the slot of a position at a depth. Each depth has other slots, so that
// the result of a shallow search does not replace that of a deep one.
func (t *table) slot(key uint64, depth int16) *entry {
	const golden = 0x9e3779b97f4a7c15
	return &t.slots[(key^uint64(depth)<<58)*golden>>t.shift]
}

// find returns the entry of a position at a depth, or nil.
func (t *table) find(key uint64, depth int16) *entry {
	if e := t.slot(key, depth); e.bound != none && e.key == key && e.depth == depth {
		return e
	}
	return nil
}
