package server

import (
	"gamebots/hexproto/wire"
)

// leave takes a seat out of the game. If others go on, the server makes its moves from then
// on; otherwise the game ends.
func (t *table) leave(tx *transaction, seat int, how string) {
	h := t.hidden()
	if h == nil {
		t.end(tx, wire.WonBy(1-seat, len(t.seats), how))
		return
	}
	t.gone = append(t.gone, seat)
	tx.write(leaveSeat, len(t.gone), t.row, seat)
	if !t.goesOn() {
		t.end(tx, h.End(t.gone, how))
		return
	}
	if a := t.seats[seat]; !t.plays(a) {
		delete(a.tables, t)
	}
	t.sendPresence(tx)
	t.playForGone(tx)
}

// outcome returns the end of the game by its rules, nil while it goes on.
func (t *table) outcome() *wire.Result {
	end := t.game.Result()
	if h := t.hidden(); h != nil && end != nil {
		return h.End(t.gone, end.How)
	}
	return end
}

// playForGone makes the moves of seats that have left, until another is to move.
func (t *table) playForGone(tx *transaction) {
	for {
		to := t.toMove()
		if len(to) == 0 || !t.hasLeft(to[0]) {
			return
		}
		move, _ := t.hidden().Idle()
		t.make(tx, to[0], move, 0)
	}
}
