package minimax

import (
	"context"
	"slices"
)

// A frame is a position on the path from the root to the current node.
type frame struct {
	first, next, end int // its moves are searcher.moves[first:end], and next is tried next
	best             int // the move with the best score so far
	front            int // the move that is tried first
	score            Score
	floor            Score // the initial alpha
	alpha, beta      Score
	key              uint64
	depth            int16
	open             bool // some score depends on the depth limit
}

// A searcher is the search of one thread.
type searcher[G Game[M], M any] struct {
	Options
	ctx      context.Context
	game     G
	keyed    Keyed              // the game, if there is a table
	static   StaticEvaluator[M] // the game, if it is one
	table    *table
	stack    []frame
	moves    []M
	nodes    uint64
	check    uint64 // the number of nodes at which ctx is checked next
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

// root searches the current position, which is not over. The best move is an index of
// s.moves.
func (s *searcher[G, M]) root(depth int) (score Score, best int, open bool, err error) {
	alpha, beta := s.window()
	limit := int16(depth)
	if depth == 0 {
		limit = unlimited
	}
	s.stack, s.moves = s.stack[:0], s.moves[:0]
	s.push(limit, alpha, beta)
	if err := s.run(); err != nil {
		return 0, 0, false, err
	}
	f := &s.stack[:1][0]
	return f.score, f.best, f.open, nil
}

// push begins the search of the current position.
func (s *searcher[G, M]) push(depth int16, alpha, beta Score) {
	first := len(s.moves)
	s.moves = s.game.AppendMoves(s.moves)
	f := frame{first: first, next: first, end: len(s.moves), best: first, front: first,
		score: -infinite, floor: alpha, alpha: alpha, beta: beta, depth: depth}
	if s.table != nil {
		f.key = s.keyed.Key()
		f.front = first + s.guess(f.key, depth, f.end-first)
	}
	s.stack = append(s.stack, f)
}

// guess returns the index of the best move of the search one ply shallower.
func (s *searcher[G, M]) guess(key uint64, depth int16, moves int) int {
	if !s.Deepen {
		return 0
	}
	if e := s.table.find(key, depth-1); e != nil && int(e.best) < moves {
		return int(e.best)
	}
	return 0
}

// run searches until the position at the bottom of the stack is done, which stays on
// the stack.
func (s *searcher[G, M]) run() error {
	for {
		if s.nodes >= s.check {
			if err := context.Cause(s.ctx); err != nil {
				return err
			}
			s.check = s.nodes + checkNodes
			s.report()
		}
		f := &s.stack[len(s.stack)-1]
		switch {
		case f.next == f.end || f.alpha >= f.beta:
			if s.done(f) {
				return nil
			}
		case f.depth == 1 && s.static != nil:
			s.lastPly(f)
		default:
			s.descend(f)
		}
	}
}

// report updates Progress.
func (s *searcher[G, M]) report() {
	if s.Progress != nil {
		s.Progress.Nodes.Add(s.nodes - s.reported)
		s.reported = s.nodes
	}
}

// nextMove returns the move to try next and advances.
func (f *frame) nextMove() int {
	i := f.next
	f.next++
	// The front move comes first; the moves before it are each one later.
	switch {
	case i == f.first:
		return f.front
	case i <= f.front:
		return i - 1
	}
	return i
}

// lastPly tries the remaining moves of a position with one ply left.
func (s *searcher[G, M]) lastPly(f *frame) {
	for f.next < f.end && f.alpha < f.beta {
		i := f.nextMove()
		s.nodes++
		score, over := s.static.ScoreAfter(s.moves[i])
		s.found(f, i, -score, !over)
	}
}

// descend makes the next move of a position.
func (s *searcher[G, M]) descend(f *frame) {
	i := f.nextMove()
	s.nodes++
	s.game.Make(s.moves[i])
	score, over := s.game.Score()
	if over || f.depth == 1 {
		s.game.Unmake()
		s.found(f, i, -score, !over)
		return
	}
	depth := f.depth
	if depth != unlimited {
		depth--
	}
	alpha, beta := -f.beta, -f.alpha
	if s.Plain {
		alpha, beta = s.window()
	}
	if s.table != nil {
		if e := s.table.find(s.keyed.Key(), depth); e != nil &&
			(e.bound == exact || e.bound == lowerBound && e.score >= beta ||
				e.bound == upperBound && e.score <= alpha) {
			s.game.Unmake()
			s.found(f, i, -e.score, e.open)
			return
		}
	}
	s.push(depth, alpha, beta)
}

// found records the score of a move.
func (s *searcher[G, M]) found(f *frame, move int, score Score, open bool) {
	f.open = f.open || open
	if score > f.score {
		f.score, f.best = score, move
		if !s.Plain {
			f.alpha = max(f.alpha, score)
		}
	}
}

// done records a position's score in the table and in the position before it. It
// reports whether there is none.
func (s *searcher[G, M]) done(f *frame) bool {
	if s.table != nil {
		e := entry{
			key: f.key, score: f.score, depth: f.depth, best: uint16(f.best - f.first), open: f.open, bound: exact,
		}
		switch {
		case f.score <= f.floor:
			e.bound = upperBound
		case f.score >= f.beta:
			e.bound = lowerBound
		}
		*s.table.slot(f.key, f.depth) = e
	}
	if len(s.stack) == 1 {
		return true
	}
	score, open := f.score, f.open
	s.moves = slices.Delete(s.moves, f.first, len(s.moves))
	s.stack = s.stack[:len(s.stack)-1]
	s.game.Unmake()
	parent := &s.stack[len(s.stack)-1]
	s.found(parent, parent.lastMove(), -score, open)
	return false
}

// lastMove returns the move that was tried last.
func (f *frame) lastMove() int {
	last := *f
	last.next--
	return last.nextMove()
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
