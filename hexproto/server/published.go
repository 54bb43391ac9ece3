package server

import (
	"math"

	"gamebots/hexproto/wire"
)

// publish sends a player's analysis to the spectators. Like a line of chat it is not sent to who ignores the
// player. The player pays for all that is sent.
func (s *Server) publish(tx *transaction, c *conn, m *wire.Analysis) *wire.Error {
	t, seat, e := tx.games.ofPlayer(tx, c.account, m.Game)
	if e != nil {
		return e
	}
	once := wire.Standing{Seat: seat, Offer: "analysis", Turn: m.Turn}
	switch {
	case m.Turn < 0 || m.Turn > t.turn:
		return refusal(wire.WrongTurn, t.id, "the game is in turn %d", t.turn)
	case t.rated: // a spectator may be the opponent's second account
		return refusal(wire.Refused, t.id, "no analysis of a rated game while it runs")
	case t.offered[once]:
		return refusal(wire.Refused, t.id, "one analysis of a turn")
	}
	t.offerOnce(once)
	p := &t.position
	if m.Turn < t.turn { // the player has moved meanwhile
		p = t.past(m.Turn)
		tx.shown += p.replayCost() // what it takes counts as what is sent
		if err := p.replay(p.moves, &clocks{}); err != nil {
			return refusal(wire.Internal, t.id, "%v", err)
		}
	}
	if e := p.checkRated(m); e != nil {
		return e
	}
	t.publish(tx, c.account, m)
	return nil
}

// publish shows a player's analysis to the spectators who do not ignore the player.
func (t *table) publish(tx *transaction, a *account, m *wire.Analysis) {
	m.By = a.name
	f := encode(0, m)
	tx.shown += t.tell(tx, func(c *conn) *frame {
		if t.seat(c.account) >= 0 || c.account.ignores(a) {
			return nil
		}
		return f
	})
}

// checkRated returns the refusal of an analysis that says anything but how good moves of the position
// are, or nil. It writes all moves in their canonical form.
func (p *position) checkRated(m *wire.Analysis) *wire.Error {
	if len(m.Moves) == 0 || len(m.Line) > 0 {
		return refusal(wire.BadMessage, m.Game, "an analysis for spectators has moves, and no line before them")
	}
	toMove := p.game.ToMove()
	known := map[wire.Move]bool{}
	largest := -1.0 // payoff, once it is known
	for i := range m.Moves {
		r := &m.Moves[i]
		if r.Seat < 0 || r.Seat >= len(toMove) || !(r.Value >= 0 && r.Value <= 1) || r.Work < 0 || r.Plies < 0 ||
			!(r.Share >= 0 && r.Share <= 1) {
			return refusal(wire.BadMessage, m.Game, "move %d has a seat, value, work, plies or share out of range", i)
		}
		if r.Payoff != 0 && largest < 0 {
			largest = p.largestPayoff()
		}
		if r.Payoff != 0 && math.Abs(r.Payoff) > largest*(1+1e-9) { // but for rounding
			return refusal(wire.BadMessage, m.Game, "move %d has a payoff that the game does not have", i)
		}
		switch r.Proof {
		case "", wire.ProvedWin, wire.ProvedLoss, wire.ProvedDraw:
		default:
			return refusal(wire.BadMessage, m.Game, "move %d has an unknown proof", i)
		}
		seat := r.Seat
		if !toMove[seat] { // only where several move at once is the seat more than a zero
			seat = p.waiting()[0]
		}
		var err error
		if r.Move, err = p.game.Check(seat, r.Move); err != nil {
			return refusal(wire.Illegal, m.Game, "%v", err)
		}
		if made := (wire.Move{Seat: seat, Move: r.Move}); known[made] {
			return refusal(wire.BadMessage, m.Game, "%s is rated twice", r.Move)
		} else {
			known[made] = true
		}
		for at := range r.Line { // any moves of the game: those after the first are of later positions
			if r.Line[at], err = p.game.Parse(seat, r.Line[at]); err != nil {
				return refusal(wire.Illegal, m.Game, "%v", err)
			}
		}
		if r.Dominated != "" {
			if r.Dominated, err = p.game.Parse(seat, r.Dominated); err != nil {
				return refusal(wire.Illegal, m.Game, "%v", err)
			}
		}
	}
	return nil
}

// largestPayoff returns the largest payoff of a matrix game by its size, 0 of another game.
func (p *position) largestPayoff() (largest float64) {
	for _, row := range p.game.Board().Payoffs {
		for _, payoffs := range row {
			largest = max(largest, math.Abs(payoffs[0]), math.Abs(payoffs[1]))
		}
	}
	return largest
}
