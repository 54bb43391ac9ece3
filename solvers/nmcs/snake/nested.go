package snake

import "context"

// Move is the dimension in which the head of a snake moves.
type Move uint32

// Line is a sequence of moves from the start of a search to the end of the snake.
type Line struct {
	Moves []Move
	Score int
}

// set makes the line a copy of another one.
func (l *Line) set(to Line) {
	l.Moves, l.Score = append(l.Moves[:0], to.Moves...), to.Score
}

// Work counts playouts, and the moves made in them.
type Work struct{ Playouts, Steps uint64 }

// Add adds other work.
func (w *Work) Add(more Work) {
	w.Playouts += more.Playouts
	w.Steps += more.Steps
}

// nested makes nested Monte-Carlo searches, one after the other, and reuses its memory. It
// is used by one goroutine at a time.
type nested struct {
	work Work // work of all searches
	// onImproved is called when the highest level of a search finds a better line, which is valid during the call, if
	// it is not nil.
	onImproved func(Line)

	levels  []level
	leaves  []Stream
	playout Line // the latest
	better  Line // the best of a leaf
}

// level is the state of the searches of one level.
type level struct {
	board, child *Board
	moves        []Move
	best         Line
}

// newNested returns a search for levels up to top. A playout is the best of leaf ≥ 1 ones.
func newNested(dimension, top, leaf int) *nested {
	s := &nested{levels: make([]level, top+1), leaves: make([]Stream, leaf)}
	for i := range s.levels {
		s.levels[i].board, s.levels[i].child = NewBoard(dimension), NewBoard(dimension)
	}
	return s
}

// search searches from a position. It returns the best line, which is valid until the
// next search, and whether the search completed. When the context is done, it returns the
// best line so far.
func (s *nested) search(ctx context.Context, start *Board, level int, key Key, top bool) (Line, bool) {
	if level <= 1 {
		for i := range s.leaves {
			s.leaves[i] = key.Stream(i)
		}
	}
	if level == 0 {
		return s.bestPlayout(ctx, start)
	}
	l := &s.levels[level]
	l.board.CopyFrom(start)
	l.best.Moves, l.best.Score = l.best.Moves[:0], start.Score()
	for ply := 0; ; ply++ {
		if ctx.Err() != nil {
			return l.best, false
		}
		if l.moves = l.board.AppendMoves(l.moves[:0]); len(l.moves) == 0 {
			return l.best, true
		}
		for _, m := range l.moves {
			l.child.CopyFrom(l.board)
			l.child.Play(m)
			var found Line
			completed := true
			if level == 1 {
				found, completed = s.bestPlayout(ctx, l.child)
			} else {
				found, completed = s.search(ctx, l.child, level-1, key.Child(ply, m), false)
			}
			if found.Score > l.best.Score || ply == len(l.best.Moves) {
				l.best.Moves = append(append(l.best.Moves[:ply], m), found.Moves...)
				l.best.Score = found.Score
				if top && s.onImproved != nil {
					s.onImproved(l.best)
				}
			}
			if !completed {
				return l.best, false
			}
		}
		l.board.Play(l.best.Moves[ply])
	}
}

// bestPlayout returns the best of a leaf's playouts from a position, and whether all of
// them were made.
func (s *nested) bestPlayout(ctx context.Context, start *Board) (Line, bool) {
	for i := range s.leaves {
		s.play(start, &s.leaves[i])
		if len(s.leaves) == 1 {
			return s.playout, true
		}
		if i == 0 || s.playout.Score > s.better.Score {
			s.better.set(s.playout)
		}
		if i%leafCheck == leafCheck-1 && ctx.Err() != nil {
			return s.better, i == len(s.leaves)-1
		}
	}
	return s.better, true
}

// leafCheck is the number of playouts of a leaf between checks of the context.
const leafCheck = 256

// play makes a playout from a position.
func (s *nested) play(start *Board, stream *Stream) {
	b := s.levels[0].board
	b.CopyFrom(start)
	moves := b.Playout(stream, s.playout.Moves[:0])
	s.playout = Line{moves, b.Score()}
	s.work.Playouts++
	s.work.Steps += uint64(len(moves))
}
