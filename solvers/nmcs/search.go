package nmcs

import "context"

// A Search does nested Monte-Carlo searches, one after the other, in memory that
// it keeps. It is used by one goroutine at a time.
type Search[G Game[G]] struct {
	Work Work
	// OnImproved is called, unless nil, whenever the topmost level finds a better
	// game; the line is the search's own.
	OnImproved func(Line)

	leaf    int
	policy  Policy
	levels  []level[G]
	leaves  []Stream
	playout Line // the last
	better  Line // the best of a leaf
	moves   []Move
	forcing []Move
	ahead   G
	player  Playouter // levels[0].game, if it plays playouts itself
}

// level is the memory of the searches of one level.
type level[G Game[G]] struct {
	game, child G
	moves       []Move
	best        Line
}

// NewSearch returns a search of up to a level, with playouts that are the best
// of a leaf of at least 1. It makes games with fresh.
func NewSearch[G Game[G]](fresh func() G, top, leaf int, policy Policy) *Search[G] {
	s := &Search[G]{leaf: leaf, policy: policy, levels: make([]level[G], top+1), leaves: make([]Stream, leaf), ahead: fresh()}
	for i := range s.levels {
		s.levels[i].game, s.levels[i].child = fresh(), fresh()
	}
	if policy == Uniform {
		s.player, _ = any(s.levels[0].game).(Playouter)
	}
	return s
}

// Run does a search from a position and returns the best game, which is valid
// until the next run, and whether the search came to its end: when the context
// is done, it returns the best so far.
func (s *Search[G]) Run(ctx context.Context, start G, level int, key Key) (best Line, whole bool) {
	return s.search(ctx.Done(), start, level, key, true)
}

func (s *Search[G]) search(done <-chan struct{}, start G, level int, key Key, top bool) (Line, bool) {
	if level <= 1 {
		for i := range s.leaves {
			s.leaves[i] = key.Stream(i)
		}
	}
	if level == 0 {
		return s.bestPlayout(done, start)
	}
	l := &s.levels[level]
	l.game.CopyFrom(start)
	l.best.Moves, l.best.Score = l.best.Moves[:0], start.Score()
	for ply := 0; ; ply++ {
		select {
		case <-done:
			return l.best, false
		default:
		}
		if l.moves = l.game.AppendMoves(l.moves[:0]); len(l.moves) == 0 {
			return l.best, true
		}
		for _, m := range l.moves {
			l.child.CopyFrom(l.game)
			l.child.Play(m)
			var found Line
			whole := true
			if level == 1 {
				found, whole = s.bestPlayout(done, l.child)
			} else {
				found, whole = s.search(done, l.child, level-1, key.Child(ply, m), false)
			}
			if found.Score > l.best.Score || ply == len(l.best.Moves) {
				l.best.Moves = append(append(l.best.Moves[:ply], m), found.Moves...)
				l.best.Score = found.Score
				if top && s.OnImproved != nil {
					s.OnImproved(l.best)
				}
			}
			if !whole {
				return l.best, false
			}
		}
		l.game.Play(l.best.Moves[ply])
	}
}

// bestPlayout returns the best playout of a leaf from a position, and whether it
// looked at all of them.
func (s *Search[G]) bestPlayout(done <-chan struct{}, start G) (Line, bool) {
	for i := range s.leaves {
		s.play(start, &s.leaves[i])
		if s.leaf == 1 {
			return s.playout, true
		}
		if i == 0 || s.playout.Score > s.better.Score {
			s.better.set(s.playout)
		}
		if i%leafCheck == leafCheck-1 {
			select {
			case <-done:
				return s.better, i == len(s.leaves)-1
			default:
			}
		}
	}
	return s.better, true
}

// leafCheck is after how many playouts of a leaf the context is looked at.
const leafCheck = 256

// play plays a playout from a position.
func (s *Search[G]) play(start G, stream *Stream) {
	g := s.levels[0].game
	g.CopyFrom(start)
	p := s.playout.Moves[:0]
	if s.player != nil {
		p = s.player.Playout(stream, p)
	} else {
		for {
			moves := g.AppendMoves(s.moves[:0])
			s.moves = moves
			if len(moves) == 0 {
				break
			}
			if s.policy == FavourForced {
				moves = s.favoured(g, moves)
			}
			m := moves[stream.Below(len(moves))]
			g.Play(m)
			p = append(p, m)
		}
	}
	s.playout = Line{p, g.Score()}
	s.Work.Playouts++
	s.Work.Steps += uint64(len(p))
}

// favoured returns the moves that force the next one, or all if none does.
func (s *Search[G]) favoured(g G, moves []Move) []Move {
	s.forcing = s.forcing[:0]
	knows, foresighted := any(g).(ForcedMoveTester)
	for _, m := range moves {
		forces := false
		if foresighted {
			forces = knows.Forces(m)
		} else {
			s.ahead.CopyFrom(g)
			s.ahead.Play(m)
			forces = len(s.ahead.AppendMoves(nil)) == 1
		}
		if forces {
			s.forcing = append(s.forcing, m)
		}
	}
	if len(s.forcing) > 0 {
		return s.forcing
	}
	return moves
}
