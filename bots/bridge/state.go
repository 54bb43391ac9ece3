package bridge

import (
	"slices"
	"sync"

	"gamebots/hexproto/wire"
)

// gameState is a game as the server has described it. Any goroutine may use it:
// the client's reading goroutine changes it, the game's goroutine reads it.
type gameState struct {
	changed chan struct{} // signals a change

	mu         sync.Mutex
	game       *wire.Game // replaced, never modified: engines read it
	received   int        // full states
	stale      bool       // a full state is needed
	staleCount int        // how often stale was set
	lines      []wire.Line
}

// snapshot is a gameState at one moment.
type snapshot struct {
	game       *wire.Game
	received   int
	stale      bool
	staleCount int
	lines      []wire.Line // lines of chat since the last snapshot
}

func newState(m *wire.Game) *gameState {
	return &gameState{changed: make(chan struct{}, 1), game: m}
}

// take returns a snapshot, and removes the lines of the chat.
func (s *gameState) take() snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := snapshot{s.game, s.received, s.stale, s.staleCount, s.lines}
	s.lines = nil
	return now
}

// current returns the game as it stands.
func (s *gameState) current() *wire.Game {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.game
}

func (s *gameState) signal() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// update replaces the game by a modified copy.
func (s *gameState) update(f func(*wire.Game)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := *s.game
	f(&next)
	s.game = &next
	s.signal()
}

// full takes a full state, which replaces all that was known.
func (s *gameState) full(m *wire.Game) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.game, s.stale = m, false
	s.received++
	s.signal()
}

// markStale marks the state as stale, so that a full one is requested.
func (s *gameState) markStale() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stale = true
	s.staleCount++
	s.signal()
}

// forgotten ends a game that the server no longer knows.
func (s *gameState) forgotten() {
	s.over(&wire.Over{Result: wire.Result{Winner: -1, How: wire.Aborted}})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stale = false
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
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, line)
	s.signal()
}

// samePosition reports whether two states of a game have the same moves, and agree
// on whether a seat is to move.
func samePosition(a, b *wire.Game, seat int) bool {
	return a.Turn == b.Turn && a.Result == nil && b.Result == nil &&
		slices.Contains(a.ToMove, seat) == slices.Contains(b.ToMove, seat) &&
		slices.EqualFunc(a.Moves, b.Moves, func(x, y wire.Move) bool { return x.Move == y.Move && x.Seat == y.Seat })
}
