package server

import (
	"slices"

	"gamebots/hexproto/wire"
)

// A person at a table of poker whose time is up is away: the server plays the seat, as soon as its clock would start,
// until the person is back. Who is away for mostAway hands in a row leaves the table, and may still come back. Programs
// are never away: their opponents would wait for nothing.

// setAway notes for how many hands a seat's player has been away, and reports whether that is new.
func (t *table) setAway(tx *transaction, seat, hands int) bool {
	if t.clocks.away[seat] == hands {
		return false
	}
	t.clocks.away[seat] = hands
	tx.write(awaySeat, hands, t.row, seat)
	return true
}

// handOver begins the pause after a hand.
func (t *table) handOver() {
	pause := handPause
	if t.seats.person(slices.Concat(t.gone, t.away())) == nil {
		pause = emptyPause
	}
	t.clocks.handOver(now(), pause)
}

// countAway counts another hand for those who are away, or has them leave the table.
func (t *table) countAway(tx *transaction) {
	for seat, hands := range t.clocks.away {
		switch {
		case hands == 0 || t.hasLeft(seat) || t.result != nil:
		case hands < mostAway:
			t.setAway(tx, seat, hands+1)
		default:
			t.leave(tx, seat, wire.TimeOut)
		}
	}
}

// here has a player back at a table, and ready for a hand. Once all people are, the pause before it ends.
func (gs *games) here(tx *transaction, a *account, m *wire.Here) *wire.Error {
	t, seat, e := gs.ofPlayer(tx, a, m.Game)
	if e != nil && (t == nil || t.result != nil || t.clocks.away[seat] == 0) {
		return e
	}
	if e != nil { // has left the table by being away
		if len(a.tables) >= gs.limits.Games {
			return refusal(wire.TooMany, t.id, "%s plays %d games, the limit", a.name, len(a.tables))
		}
		t.gone = slices.DeleteFunc(t.gone, func(gone int) bool { return gone == seat })
		a.tables[t.ref()] = true
		tx.write(leaveSeat, nil, t.row, seat)
		for i, gone := range t.gone {
			tx.write(leaveSeat, i+1, t.row, gone)
		}
	}
	changed := t.setAway(tx, seat, 0)
	if t.clocks.ready[seat] = m.Hand + 1; t.clocks.pause > now() && t.allReady() {
		t.clocks.endPause(now())
		changed = true
	}
	if changed {
		t.setTimer()
		t.sendPresence(tx)
	}
	return nil
}

// allReady reports whether the people at the table are ready for the hand that is dealt.
func (t *table) allReady() bool {
	for seat := range t.seats.people(slices.Concat(t.gone, t.away())) {
		if !t.seats[seat].bot && t.clocks.ready[seat] < t.hand().Number {
			return false
		}
	}
	return true
}
