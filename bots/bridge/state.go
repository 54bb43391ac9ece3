package bridge

import (
	"slices"

	"gamebots/hexproto/wire"
	"gamebots/internal/parallel"
)

// gameState is a game as the server has described it. Any goroutine may use it:
// the client's reading goroutine changes it, the game's goroutine reads it.
type gameState struct {
	changed chan struct{} // signals a change
	now     parallel.Guarded[snapshot]
}

// snapshot is a gameState at one moment.
type snapshot struct {
	game       *wire.Game  // replaced, never modified: engines read it
	received   int         // full states
	stale      bool        // a full state is needed
	staleCount int         // how often stale was set
	lines      []wire.Line // lines of chat since the last snapshot
}

// take returns a snapshot, and removes the lines of the chat.
func (s *gameState) take() (now snapshot) {
	s.now.With(func(n *snapshot) { now, n.lines = *n, nil })
	return now
}

// current returns the game as it stands.
func (s *gameState) current() *wire.Game {
	return parallel.Get(&s.now, func(n *snapshot) *wire.Game { return n.game })
}

func (s *gameState) signal() { parallel.Signal(s.changed) }

// change changes the state, and signals it.
func (s *gameState) change(f func(*snapshot)) {
	s.now.With(f)
	s.signal()
}

// update replaces the game by a modified copy.
func (s *gameState) update(f func(*wire.Game)) {
	s.change(func(n *snapshot) {
		next := *n.game
		f(&next)
		n.game = &next
	})
}

// full takes a full state, which replaces all that was known.
func (s *gameState) full(m *wire.Game) {
	s.change(func(n *snapshot) { n.game, n.stale, n.received = m, false, n.received+1 })
}

// markStale marks the state as stale, so that a full one is requested.
func (s *gameState) markStale() {
	s.change(func(n *snapshot) { n.stale, n.staleCount = true, n.staleCount+1 })
}

// forgotten ends a game that the server no longer knows.
func (s *gameState) forgotten() {
	s.over(&wire.Over{Result: wire.Result{Winner: -1, How: wire.Aborted}})
	s.now.With(func(n *snapshot) { n.stale = false })
}

func (s *gameState) moved(m *wire.Moved) {
	turn := s.current().Turn
	switch {
	case m.Turn < turn:
	case m.Turn > turn:
		s.markStale()
	default:
		s.update(func(g *wire.Game) {
			g.Moves = append(slices.Clip(g.Moves), m.Moves...)
			g.Turn, g.ToMove, g.Time, g.Swap, g.Mine, g.Offers = m.Turn+1, m.ToMove, m.Time, m.Swap, "", nil
		})
	}
}

func (s *gameState) over(m *wire.Over) {
	s.update(func(g *wire.Game) { g.Result, g.Time = &m.Result, m.Time })
}

func (s *gameState) offered(m *wire.Offered) {
	s.update(func(g *wire.Game) {
		g.Offers = slices.DeleteFunc(slices.Clone(g.Offers), func(o wire.Standing) bool { return o.Offer == m.Offer })
		if !m.No {
			g.Offers = append(g.Offers, wire.Standing{Seat: m.Seat, Offer: m.Offer, Turn: g.Turn})
		}
	})
}

func (s *gameState) said(line wire.Line) {
	s.change(func(n *snapshot) { n.lines = append(n.lines, line) })
}

// samePosition reports whether two states of a game have the same moves, and agree
// on whether a seat is to move.
func samePosition(a, b *wire.Game, seat int) bool {
	return a.Turn == b.Turn && a.Result == nil && b.Result == nil &&
		slices.Contains(a.ToMove, seat) == slices.Contains(b.ToMove, seat) &&
		slices.EqualFunc(a.Moves, b.Moves, func(x, y wire.Move) bool { return x.Move == y.Move && x.Seat == y.Seat })
}
