package server

import (
	"iter"
	"slices"
	"time"

	"gamebots/hexproto/wire"
	"gamebots/internal/parallel"
)

// seating is who sits at a table and who watches it, with the players' clocks.
type seating struct {
	seats    players
	gone     []int        // seats that have left, in the order in which they did
	bots     []*botPlayer // players of the server's bots by seat, else nil
	watchers map[*conn]bool

	clocks  clocks
	timer   *time.Timer // for the next clock that runs out
	resumed bool        // the clock of a player stands until the player is back
}

// players are who sits at a table, by seat. They never change.
type players []*account

// seat returns the seat of an account, or -1.
func (s *seating) seat(a *account) int { return slices.Index(s.seats, a) }

// audience yields the connections that follow a game, without those that have yet to be sent its
// state, which has all that happens until then.
func (t *table) audience(yield func(*conn) bool) {
	for _, a := range t.seats {
		for c := range a.conns {
			if !c.owed[t.ref()] && !yield(c) {
				return
			}
		}
	}
	for c := range t.watchers {
		if t.seat(c.account) < 0 && !c.owed[t.ref()] && !yield(c) {
			return
		}
	}
}

// send sends a message to the audience. It returns how many bytes that are in all.
func (t *table) send(tx *transaction, m wire.Message) (bytes int) {
	f := encode(0, m)
	return t.tell(tx, func(*conn) *frame { return f })
}

// tell sends each connection of the audience a frame, unless that is nil. It returns how many bytes that are
// in all. The accounts of spectators, who have asked for it, pay, and so do those of players who have several
// connections. Who reads slowly, or has had too many bytes, is owed the state instead, so that none is cut off by
// the play of others. A player with one connection is sent everything: the moves that players can make are limited.
func (t *table) tell(tx *transaction, frameOf func(*conn) *frame) (bytes int) {
	sent := t.core.budgets.sent
	for c := range t.audience {
		f := frameOf(c)
		if f == nil {
			continue
		}
		if t.seat(c.account) < 0 || len(c.account.conns) > 1 {
			if c.size.Load() > unread || sent.Wait(clock(), 0, c.account.payer()) > 0 {
				t.owe(tx, c)
				continue
			}
			sent.Charge(clock(), float64(len(f.text)), c.account.payer())
		}
		bytes += len(f.text)
		tx.enqueue(c, f)
	}
	return bytes
}

// hasLeft reports whether a seat has left.
func (s *seating) hasLeft(seat int) bool { return slices.Contains(s.gone, seat) }

// plays reports whether an account has a seat that it has not left. A bot of the server may
// have several seats.
func (s *seating) plays(a *account) bool {
	for seat, of := range s.seats {
		if of == a && !s.hasLeft(seat) {
			return true
		}
	}
	return false
}

// present reports by seat which players are connected.
func (s *seating) present() []bool {
	present := make([]bool, len(s.seats))
	for seat, a := range s.seats {
		present[seat] = a.present()
	}
	return present
}

// players returns the players with their ratings in a kind of game.
func (s *seating) players(kind string) []wire.Player {
	players := make([]wire.Player, len(s.seats))
	for seat, a := range s.seats {
		players[seat] = a.player(kind)
	}
	return players
}

// away returns the seats whose players are away, those included who have left by that.
func (s *seating) away() (seats []int) {
	for seat, hands := range s.clocks.away {
		if hands > 0 {
			seats = append(seats, seat)
		}
	}
	return seats
}

// goesOn reports whether two seats are left, one of whom is no bot of the server.
func (s *seating) goesOn() bool {
	return len(s.seats)-len(s.gone) > 1 && s.seats.person(s.gone) != nil
}

// withBots reports whether a bot of the server plays.
func (s *seating) withBots() bool {
	return slices.ContainsFunc(s.seats, func(a *account) bool { return a.builtin != nil })
}

// people yields the seats of players who are no bots of the server, and not among those
// that have left.
func (ps players) people(gone []int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for seat, a := range ps {
			if a.builtin == nil && !slices.Contains(gone, seat) && !yield(seat) {
				return
			}
		}
	}
}

// person returns the first of people, who is charged for the time that bots think.
func (ps players) person(gone []int) *account {
	for seat := range ps.people(gone) {
		return ps[seat]
	}
	return nil // the game is over
}

// attended reports whether one of people is present.
func (ps players) attended(present []bool, gone []int) bool {
	for seat := range ps.people(gone) {
		if present[seat] {
			return true
		}
	}
	return false
}

// wakeBots has the server's bots look at the game once the transaction is stored.
func (s *seating) wakeBots(tx *transaction) {
	for _, p := range s.bots {
		if p != nil {
			tx.after = append(tx.after, func() { parallel.Signal(p.wake) })
		}
	}
}

// dropEngines closes the engines of the server's bots that do not think, because their
// opponent is gone.
func (s *seating) dropEngines(tx *transaction) {
	for _, p := range s.bots {
		if p != nil {
			tx.after = append(tx.after, p.engine.Drop)
		}
	}
}
