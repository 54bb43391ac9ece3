package server

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"gamebots/hexproto/wire"
)

// play makes a move that arrived at a time. A move that was made already is no
// error.
func (gs *games) play(tx *transaction, a *account, m *wire.Play, at time.Time) *wire.Error {
	t, seat, e := gs.ofPlayer(tx, a, m.Game)
	switch {
	case t == nil:
		return e
	case t.hasPlayed(seat, m):
		return nil
	case e != nil:
		return e
	case m.Until != 0 && now() > m.Until:
		return refusal(wire.Refused, t.id, "the move came after the time until which it was to be played")
	}
	if wait := gs.budgets.stored.Wait(at, 0, tx.payers...); wait > 0 {
		return later(wait, refusal(wire.TooFast, m.Game, "%s has stored too many moves in an hour", a.name))
	}
	return t.playMove(tx, seat, m, at)
}

// playMove makes a move of a seat that arrived at a time.
func (t *table) playMove(tx *transaction, seat int, m *wire.Play, at time.Time) *wire.Error {
	switch {
	case m.Turn != t.turn:
		return refusal(wire.WrongTurn, t.id, "the game is in turn %d", t.turn)
	case !slices.Contains(t.toMove(), seat):
		return refusal(wire.WrongTurn, t.id, "it is not your turn")
	}
	arrived, ms := wire.TimeOf(at).UnixMilli(), int64(0)
	if since := t.clocks.since[seat]; since != 0 {
		ms = max(0, arrived-since)
		if !t.clocks.free(seat) && arrived > t.clocks.deadline(seat) {
			switch moved := t.timeUp(tx, seat); {
			case !moved:
				return refusal(wire.GameOver, t.id, "the time was up")
			case t.hasPlayed(seat, m):
				return nil
			}
			return refusal(wire.WrongTurn, t.id, "the time was up, and the server has played for you")
		}
	}
	text, err := t.game.Check(seat, m.Move)
	if err != nil {
		return refusal(wire.Illegal, t.id, "%v", err)
	}
	if t.setAway(tx, seat, 0) {
		t.sendPresence(tx)
	}
	t.make(tx, seat, text, ms)
	t.playForGone(tx)
	return nil
}

// make makes a legal move of a seat to move, which took some milliseconds.
func (t *table) make(tx *transaction, seat int, text string, ms int64) {
	t.moved = date()
	tx.write(addMove, t.row, t.turn, seat, text, ms, t.moved)
	t.core.count.moves.Add(1)
	turn, hand := t.turn, t.hand()
	played, err := t.play(seat, text, ms, &t.clocks)
	if err != nil {
		panic(err) // Check found the moves legal, so the rules are broken
	}
	if played == nil {
		t.setTimer()
		return
	}
	handOver := hand != nil && t.hand().Number > hand.Number
	if handOver {
		t.handOver()
	}
	t.startClocks(tx)
	t.sendMoved(tx, turn, played)
	if end := t.outcome(); end != nil {
		t.end(tx, end)
	} else if handOver {
		t.countAway(tx)
	}
	t.wakeBots(tx)
}

// sendMoved sends a turn to the audience, with a view to those who get views.
func (t *table) sendMoved(tx *transaction, turn int, played []wire.Move) {
	m := &wire.Moved{Game: t.id, Turn: turn, Moves: played, Time: t.time(), ToMove: t.toMove(), Swap: t.game.CanSwap()}
	frames := map[reader]*frame{}
	t.tell(tx, func(c *conn) *frame {
		r := reader{seat: t.viewer(t.seat(c.account)), views: c.views || t.hidden() != nil}
		if frames[r] == nil {
			if m.View = nil; r.views {
				m.View = t.view(r.seat, turn)
			}
			frames[r] = encode(0, m)
		}
		return frames[r]
	})
}

// startClocks starts the clocks of the seats to move. After a restart the clock of
// a player who is not back yet does not start, but in correspondence.
func (t *table) startClocks(tx *transaction) {
	if t.result != nil || tx.stopping {
		return
	}
	at := now()
	for _, seat := range t.toMove() {
		switch {
		case t.clocks.since[seat] != 0:
		case t.resumed && t.clocks.Correspondence():
			t.clocks.start(seat, t.clocks.resumed(seat, at, t.moved), false)
		case !t.resumed || t.seats[seat].present():
			t.clocks.start(seat, at, !t.seats[seat].bot)
		}
	}
	t.setTimer()
}

// timerSlack is how much later than the end of a clock its timer fires. A move
// that has arrived in time may still wait for the lock.
const timerSlack = 20 * time.Millisecond

// setTimer sets the timer to the clock that runs out first.
func (t *table) setTimer() {
	if t.timer != nil {
		t.timer.Stop()
	}
	firstMove := t.core.limits.FirstMove
	_, at, ok := t.clocks.nextTimeout(firstMove)
	if !ok {
		return
	}
	t.timer = time.AfterFunc(time.Duration(at-now())*time.Millisecond+timerSlack, func() {
		t.core.awake(nil, t.ref().Under, func(tx *transaction) {
			tx.game = t.ref()
			seat, at, ok := t.clocks.nextTimeout(firstMove)
			switch {
			case !ok || tx.stopping:
			case now() <= at:
				t.setTimer()
			default:
				t.timeUp(tx, seat)
			}
		})
	})
}

// timeUp makes a move of poker for a player who has no time left, who is away from then on, and reports whether it has:
// for a program only a free one, and for nobody with a clock that gives no more time, by which nobody would ever decide
// anything. Otherwise it takes the player out of the game, or aborts a game in which the player never began.
func (t *table) timeUp(tx *transaction, seat int) (moved bool) {
	if !t.clocks.begun[seat] {
		within := fmt.Sprintf("%g s", t.core.limits.FirstMove.Seconds())
		if t.clocks.Correspondence() {
			within = days(time.Duration(t.clocks.PerMove) * time.Millisecond)
		}
		t.abortBy(tx, seat, fmt.Sprintf("%s did not move within %s", t.seats[seat].name, within))
		return false
	}
	if h := t.hidden(); h != nil && t.clocks.PerMove+t.clocks.Increment > 0 {
		if move, free := h.Idle(); free || !t.seats[seat].bot {
			ms := t.clocks.deadline(seat) - t.clocks.since[seat] // all the time that there was
			if !t.seats[seat].bot && t.setAway(tx, seat, max(1, t.clocks.away[seat])) {
				t.sendPresence(tx)
			}
			t.make(tx, seat, move, ms)
			t.playForGone(tx)
			return true
		}
	}
	t.leave(tx, seat, wire.TimeOut)
	return false
}

// aborted returns the result of a game that does not count.
func (t *table) aborted(reason string) *wire.Result {
	return &wire.Result{Winner: -1, Score: make([]float64, len(t.seats)), How: wire.Aborted, Reason: reason}
}

// abortBy ends a game that does not count because of a player.
func (t *table) abortBy(tx *transaction, seat int, reason string) {
	end := t.aborted(reason)
	end.AbortedBy = t.seats[seat].name
	countAborted(t.seats[seat], t.seats[1-seat], t.rated, date())
	t.end(tx, end)
}

// keepFinished is how long a finished game stays in memory, for late messages.
const keepFinished = time.Minute

// end ends the game. A result that cannot be written down counts as a failure of the
// rules.
func (t *table) end(tx *transaction, result *wire.Result) {
	text, err := json.Marshal(result)
	if err != nil {
		panic(err)
	}
	t.result = result
	t.clocks.stop(now())
	t.offers = nil
	if t.timer != nil {
		t.timer.Stop()
	}
	changes, counts := make([]int, len(t.seats)), result.How != wire.Aborted
	if counts {
		changes = t.count(tx, result)
	}
	tx.write(endGame, string(text), date(), t.row)
	ratings := make([]int, len(t.seats))
	for seat, a := range t.seats {
		ratings[seat] = a.player(t.kind).Rating
		var change any // NULL if the game changes no ratings
		if counts && t.rated {
			change = changes[seat]
		}
		tx.write(endSeat, ratings[seat], change, t.row, seat)
		delete(a.tables, t.ref())
	}
	t.send(tx, &wire.Over{Game: t.id, Result: *result, Ratings: ratings, Changes: changes, Time: t.time()})
	t.wakeBots(tx)
	tx.lobby.changed()
	if t.asleep() { // the archive reads it
		tx.games.remove(t)
		return
	}
	time.AfterFunc(keepFinished, func() {
		t.core.locked(func(tx *transaction) { tx.games.remove(t) })
	})
}

func (gs *games) resign(tx *transaction, a *account, m *wire.Resign) *wire.Error {
	t, seat, e := gs.ofPlayer(tx, a, m.Game)
	if e == nil {
		t.leave(tx, seat, wire.Resigned)
	}
	return e
}

// abort ends a game that does not count yet: an opponent who has not moved may not be there. Once
// cards are dealt a game counts: who has seen a bad hand could escape it.
func (gs *games) abort(tx *transaction, a *account, m *wire.Abort) *wire.Error {
	t, seat, e := gs.ofPlayer(tx, a, m.Game)
	switch {
	case e != nil:
		return e
	case t.hidden() != nil:
		return refusal(wire.Refused, t.id, "the cards are dealt: resign to leave the match")
	case !slices.Contains(t.clocks.begun, false):
		return refusal(wire.Refused, t.id, "the game counts by now: resign, or offer a draw")
	}
	t.abortBy(tx, seat, a.name+" aborted the game")
	return nil
}

// offer makes, accepts or refuses an offer.
func (gs *games) offer(tx *transaction, a *account, m *wire.Offer) *wire.Error {
	t, seat, e := gs.ofPlayer(tx, a, m.Game)
	if e != nil {
		return e
	}
	if m.Offer != wire.OfferDraw && m.Offer != wire.OfferTakeback {
		return refusal(wire.BadMessage, t.id, "there is no offer %q", m.Offer)
	}
	if t.hidden() != nil {
		return refusal(wire.Refused, t.id, "there are no offers in this game")
	}
	own, others := t.stands(seat, m.Offer), t.stands(1-seat, m.Offer)
	message := &wire.Offered{Game: t.id, Seat: seat, Offer: m.Offer, No: m.No}
	if m.No {
		t.offers = slices.DeleteFunc(t.offers, func(o wire.Standing) bool { return o.Offer == m.Offer })
		if own || others {
			t.send(tx, message)
		}
		return nil
	}
	made := wire.Standing{Seat: seat, Offer: m.Offer, Turn: t.turn}
	switch {
	case m.Offer == wire.OfferTakeback && (t.rated || !t.hasMoved(seat) && !others):
		return refusal(wire.Refused, t.id, "there is nothing to take back in this game")
	case m.Offer == wire.OfferDraw && t.rated && t.turn < leastRatedTurns:
		return refusal(wire.Refused, t.id, "a rated game is not drawn in its first %d turns", leastRatedTurns)
	case others && m.Offer == wire.OfferDraw:
		t.end(tx, &wire.Result{Winner: -1, Score: []float64{0.5, 0.5}, How: wire.Agreed})
	case others:
		return t.takeBack(tx, 1-seat)
	case own:
	case t.offered[made]:
		return refusal(wire.Refused, t.id, "one offer a turn")
	default:
		if m.Offer == wire.OfferTakeback {
			if wait := take(a.started, clock(), t.replayCost()); wait > 0 {
				return later(wait, refusal(wire.TooFast, t.id, "too many moves are taken back"))
			}
		}
		t.offerOnce(made)
		t.offers = append(t.offers, made)
		t.send(tx, message)
		t.wakeBots(tx)
	}
	return nil
}

// offerOnce notes an offer that is made once in its turn.
func (t *table) offerOnce(o wire.Standing) {
	if t.offered == nil {
		t.offered = map[wire.Standing]bool{}
	}
	t.offered[o] = true
}

// takeBack takes turns back until a seat is to move again.
func (t *table) takeBack(tx *transaction, seat int) *wire.Error {
	for turn := t.turn - 1; turn >= 0; turn-- {
		n := slices.IndexFunc(t.moves, func(m wire.Move) bool { return m.Turn == turn })
		if !slices.ContainsFunc(t.moves[n:], func(m wire.Move) bool { return m.Turn == turn && m.Seat == seat }) {
			continue
		}
		if err := t.replay(slices.Clone(t.moves[:n]), &t.clocks); err != nil {
			return refusal(wire.Internal, t.id, "%v", err)
		}
		t.offers, t.offered = nil, nil
		t.moved = date()
		tx.write(deleteMoves, t.row, turn)
		t.startClocks(tx)
		t.sendState(tx)
		t.wakeBots(tx)
		return nil
	}
	return refusal(wire.Refused, t.id, "there is no move of that player")
}

// chat sends a line to the audience of a game that may read it.
func (gs *games) chat(tx *transaction, c *conn, id string, line *said) *wire.Error {
	t := gs.tables[id]
	switch {
	case t == nil:
		return refusal(wire.NotFound, id, "no such game")
	case t.seat(c.account) < 0 && !t.watchers[c]:
		return refusal(wire.NotYours, id, "watch the game to talk there")
	}
	t.addLine(line)
	tx.write(addChat, t.row, line.From, line.Text, line.At)
	f := encode(0, &wire.Said{Game: t.id, Line: line.Line})
	tx.shown += t.tell(tx, func(to *conn) *frame {
		if !t.hears(t.seat(to.account), to.account, line) {
			return nil
		}
		return f
	})
	return nil
}

// leave takes a seat out of the game. If others go on, the server makes its moves from then
// on; otherwise the game ends. A rated one does not count that has hardly begun.
func (t *table) leave(tx *transaction, seat int, how string) {
	if t.rated && t.turn < leastRatedTurns {
		t.abortBy(tx, seat, fmt.Sprintf("%s left a rated game within %d turns", t.seats[seat].name, leastRatedTurns))
		return
	}
	h := t.hidden()
	if h == nil {
		t.end(tx, wire.WonBy(1-seat, len(t.seats), how))
		return
	}
	if how != wire.TimeOut { // for good
		t.setAway(tx, seat, 0)
	}
	t.gone = append(t.gone, seat)
	tx.write(leaveSeat, len(t.gone), t.row, seat)
	if !t.goesOn() {
		t.end(tx, h.End(t.gone, how))
		return
	}
	if a := t.seats[seat]; !t.plays(a) {
		delete(a.tables, t.ref())
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
