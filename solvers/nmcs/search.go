package nmcs

import "context"

// Search makes nested Monte-Carlo searches, one after the other, and reuses its memory. It
// is used by one goroutine at a time.
type Search[G Game[G]] struct {
	Work Work // work of all searches
	// OnImproved is called when the highest level of a search finds a better line. The
	// line is valid during the call. OnImproved may be nil.
	OnImproved func(Line)

	leaf      int
	levels    []level[G]
	leaves    []Stream
	playout   Line // the latest
	better    Line // the best of a leaf
	moves     []Move
	playouter Playouter // levels[0].game, if it plays playouts itself
}

// level is the state of the searches of one level.
type level[G Game[G]] struct {
	game, child G
	moves       []Move
	best        Line
}

// NewSearch returns a search for levels up to top. A playout is the best of leaf ≥ 1 ones.
// NewGame returns a game to copy positions to.
func NewSearch[G Game[G]](newGame func() G, top, leaf int) *Search[G] {
	s := &Search[G]{leaf: leaf, levels: make([]level[G], top+1), leaves: make([]Stream, leaf)}
	for i := range s.levels {
		s.levels[i].game, s.levels[i].child = newGame(), newGame()
	}
	s.playouter, _ = any(s.levels[0].game).(Playouter)
	return s
}

// Run makes a search from a position. It returns the best line, which is valid until the
// next search, and whether the search completed. When the context is done, it returns the
// best line so far.
func (s *Search[G]) Run(ctx context.Context, start G, level int, key Key) (best Line, completed bool) {
	return s.search(ctx, start, level, key, true)
}

func (s *Search[G]) search(ctx context.Context, start G, level int, key Key, top bool) (Line, bool) {
	if level <= 1 {
		for i := range s.leaves {
			s.leaves[i] = key.Stream(i)
		}
	}
	if level == 0 {
		return s.bestPlayout(ctx, start)
	}
	l := &s.levels[level]
	l.game.CopyFrom(start)
	l.best.Moves, l.best.Score = l.best.Moves[:0], start.Score()
	for ply := 0; ; ply++ {
		if ctx.Err() != nil {
			return l.best, false
		}
		if l.moves = l.game.AppendMoves(l.moves[:0]); len(l.moves) == 0 {
			return l.best, true
		}
		for _, m := range l.moves {
			l.child.CopyFrom(l.game)
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
				if top && s.OnImproved != nil {
					s.OnImproved(l.best)
				}
			}
			if !completed {
				return l.best, false
			}
		}
		l.game.Play(l.best.Moves[ply])
	}
}

// bestPlayout returns the best of a leaf's playouts from a position, and whether all of
// them were made.
func (s *Search[G]) bestPlayout(ctx context.Context, start G) (Line, bool) {
	for i := range s.leaves {
		s.play(start, &s.leaves[i])
		if s.leaf == 1 {
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
func (s *Search[G]) play(start G, stream *Stream) {
	g := s.levels[0].game
	g.CopyFrom(start)
	p := s.playout.Moves[:0]
	if s.playouter != nil {
		p = s.playouter.Playout(stream, p)
	} else {
		for {
			s.moves = g.AppendMoves(s.moves[:0])
			if len(s.moves) == 0 {
				break
			}
			m := s.moves[stream.Below(len(s.moves))]
			g.Play(m)
			p = append(p, m)
		}
	}
	s.playout = Line{p, g.Score()}
	s.Work.Playouts++
	s.Work.Steps += uint64(len(p))
}
