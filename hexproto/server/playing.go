package server

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"gamebots/hexproto/wire"
)

// seated returns the running game of an account and its seat in it.
func (s *Server) seated(a *account, game string) (*table, int, *wire.Error) {
	t := s.tables[game]
	if t == nil {
		return nil, 0, &wire.Error{Code: wire.NotFound, Text: "no such running game", Game: game}
	}
	seat := t.seat(a)
	switch {
	case seat < 0:
		return nil, 0, &wire.Error{Code: wire.NotYours, Text: "it is a game of others", Game: game}
	case t.result != nil:
		return t, seat, &wire.Error{Code: wire.GameOver, Text: "the game is over", Game: game}
	}
	return t, seat, nil
}

// play makes a move that arrived at a time. One that was made already is no
// error.
func (s *Server) play(st *step, a *account, m *wire.Play, at time.Time) *wire.Error {
	t, seat, e := s.seated(a, m.Game)
	if t == nil {
		return e
	}
	if t.made(seat, m) {
		return nil
	}
	if e != nil {
		return e
	}
	switch {
	case m.Turn != t.turn:
		return &wire.Error{Code: wire.WrongTurn, Text: fmt.Sprintf("the game is in turn %d", t.turn), Game: t.id}
	case !slices.Contains(t.toMove(), seat):
		return &wire.Error{Code: wire.WrongTurn, Text: "it is not your turn", Game: t.id}
	}
	arrived, ms := at.UnixMilli(), int64(0)
	if since := t.clocks.since[seat]; since != 0 {
		ms = max(0, arrived-since)
		if !t.clocks.free(seat) && arrived > t.clocks.deadline(seat) {
			s.timeUp(st, t, seat)
			return &wire.Error{Code: wire.GameOver, Text: "the time was up", Game: t.id}
		}
	}
	text, err := t.game.Check(seat, m.Move)
	if err != nil {
		return &wire.Error{Code: wire.Illegal, Text: err.Error(), Game: t.id}
	}
	st.write(addMove, t.row, t.turn, seat, text, ms)
	s.count.moves.Inc()
	turn := t.turn
	t.mine[seat], t.took[seat] = text, ms
	t.clocks.played(seat, ms)
	played, err := t.finishTurn()
	if err != nil {
		// The rules said that the moves are legal: they are broken, the others not.
		s.log.Error("a game is given up", "error", err)
		s.end(st, t, wire.Result{Winner: -1, How: wire.Aborted})
		return &wire.Error{Code: wire.Internal, Text: "the rules failed", Game: t.id}
	}
	if played == nil {
		s.setTimer(t)
		return nil
	}
	s.startClocks(t)
	s.tellMoved(st, t, turn, played)
	if end := t.game.Result(); end != nil {
		s.end(st, t, *end)
	}
	s.wakeDrivers(st, t)
	return nil
}

// made says whether a move is one that its seat has made.
func (t *table) made(seat int, m *wire.Play) bool {
	if m.Turn == t.turn {
		return t.mine[seat] != "" && t.mine[seat] == m.Move
	}
	i, ok := slices.BinarySearchFunc(t.moves, m.Turn, func(made wire.Move, turn int) int { return made.Turn - turn })
	for ; ok && i < len(t.moves) && t.moves[i].Turn == m.Turn; i++ {
		if t.moves[i].Seat == seat && t.moves[i].Move == m.Move {
			return true
		}
	}
	return false
}

// tellMoved tells a turn, with the picture to who wants it.
func (s *Server) tellMoved(st *step, t *table, turn int, played []wire.Move) {
	m := &wire.Moved{Game: t.id, Turn: turn, Moves: played, Time: t.clocks.time(now()), ToMove: t.toMove(), Swap: t.game.CanSwap()}
	var plain, pictured []byte
	for c := range t.audience {
		frame := &plain
		if c.views {
			frame = &pictured
		}
		if *frame == nil {
			if m.View = nil; c.views {
				m.View = t.view()
			}
			*frame = encode(0, m)
		}
		st.out = append(st.out, delivery{c, *frame})
	}
}

// startClocks starts the clocks that should run and do not. After a restart
// those of players who are not back yet stand.
func (s *Server) startClocks(t *table) {
	if t.result != nil || s.stopping {
		return
	}
	at := now()
	for _, seat := range t.toMove() {
		if t.clocks.since[seat] == 0 && (!t.resumed || t.seats[seat].present()) {
			t.clocks.start(seat, at)
		}
	}
	s.setTimer(t)
}

// slack is how much later than it could the end of a clock is noticed, for moves
// that have arrived and wait for the lock: their arrival counts.
const slack = 20 * time.Millisecond

// setTimer has the clock that runs out first watched.
func (s *Server) setTimer(t *table) {
	if t.timer != nil {
		t.timer.Stop()
	}
	_, at, ok := t.due(s.limits.FirstMove)
	if !ok {
		return
	}
	t.timer = time.AfterFunc(time.Until(time.UnixMilli(at))+slack, func() {
		s.locked(func(st *step) {
			seat, at, ok := t.due(s.limits.FirstMove)
			switch {
			case !ok || s.stopping:
			case now() <= at:
				s.setTimer(t)
			default:
				s.timeUp(st, t, seat)
			}
		})
	})
}

// timeUp ends a game whose player has no time left, or never came.
func (s *Server) timeUp(st *step, t *table, seat int) {
	if t.clocks.turns[seat] == 0 {
		s.end(st, t, wire.Result{Winner: -1, How: wire.Aborted})
		return
	}
	t.clocks.stop(now())
	s.end(st, t, wonBy(1-seat, wire.TimeOut))
}

func wonBy(seat int, how string) wire.Result {
	r := wire.Result{Winner: seat, How: how}
	r.Score[seat] = 1
	return r
}

// keepOver is how long a game stays at hand when it is over, for last words.
const keepOver = time.Minute

// end ends a game.
func (s *Server) end(st *step, t *table, result wire.Result) {
	t.result = &result
	t.clocks.stop(now())
	t.offers = nil
	if t.timer != nil {
		t.timer.Stop()
	}
	if t.rated && result.How != wire.Aborted {
		rate(t.seats[0], t.seats[1], [...]float64{0.5, 1, 0}[result.Winner+1])
		for _, a := range t.seats {
			st.write(rateAccount, a.rating, a.name)
		}
	}
	for i, a := range t.seats {
		t.after[i] = a.player().Rating
		delete(a.tables, t)
	}
	text, err := json.Marshal(result)
	if err != nil {
		panic(err) // a plain value; scores are finite
	}
	st.write(endGame, string(text), now(), t.after[0], t.after[1], t.row)
	s.tellTable(st, t, &wire.Over{Game: t.id, Result: result, Ratings: t.after, Time: t.clocks.time(now())})
	s.wakeDrivers(st, t)
	s.lobbyChanged()
	time.AfterFunc(keepOver, func() {
		s.locked(func(*step) {
			for c := range t.watchers {
				delete(c.watches, t)
			}
			delete(s.tables, t.id)
			if t.tag != "" {
				delete(s.tags, tagKey{t.maker, t.tag})
			}
		})
	})
}

func (s *Server) resign(st *step, a *account, m *wire.Resign) *wire.Error {
	t, seat, e := s.seated(a, m.Game)
	if e == nil {
		s.end(st, t, wonBy(1-seat, wire.Resigned))
	}
	return e
}

func (s *Server) abort(st *step, a *account, m *wire.Abort) *wire.Error {
	t, _, e := s.seated(a, m.Game)
	switch {
	case e != nil:
		return e
	case t.clocks.turns[0] > 0 && t.clocks.turns[1] > 0:
		return &wire.Error{Code: wire.Refused, Text: "both have moved: resign, or offer a draw", Game: t.id}
	}
	s.end(st, t, wire.Result{Winner: -1, How: wire.Aborted})
	return nil
}

// offer makes, accepts or refuses an offer.
func (s *Server) offer(st *step, a *account, m *wire.Offer) *wire.Error {
	t, seat, e := s.seated(a, m.Game)
	if e != nil {
		return e
	}
	if m.Offer != wire.OfferDraw && m.Offer != wire.OfferTakeback {
		return &wire.Error{Code: wire.BadMessage, Text: fmt.Sprintf("nobody offers %q", m.Offer), Game: t.id}
	}
	standing := func(seat int) int {
		return slices.IndexFunc(t.offers, func(o wire.Standing) bool { return o.Seat == seat && o.Offer == m.Offer })
	}
	own, others := standing(seat), standing(1-seat)
	told := &wire.Offered{Game: t.id, Seat: seat, Offer: m.Offer, No: m.No}
	if m.No {
		t.offers = slices.DeleteFunc(t.offers, func(o wire.Standing) bool { return o.Offer == m.Offer })
		if own >= 0 || others >= 0 {
			s.tellTable(st, t, told)
		}
		return nil
	}
	made := wire.Standing{Seat: seat, Offer: m.Offer, Turn: t.turn}
	switch {
	case m.Offer == wire.OfferTakeback && (t.rated || !t.hasMoved(seat) && others < 0):
		return &wire.Error{Code: wire.Refused, Text: "there is nothing to take back in this game", Game: t.id}
	case others >= 0 && m.Offer == wire.OfferDraw:
		s.end(st, t, wire.Result{Winner: -1, Score: [2]float64{0.5, 0.5}, How: wire.Agreed})
	case others >= 0:
		return s.takeBack(st, t, 1-seat)
	case own >= 0:
	case t.offered[made]:
		return &wire.Error{Code: wire.Refused, Text: "one offer a turn", Game: t.id}
	default:
		if t.offered == nil {
			t.offered = map[wire.Standing]bool{}
		}
		t.offered[made] = true
		t.offers = append(t.offers, made)
		s.tellTable(st, t, told)
		s.wakeDrivers(st, t)
	}
	return nil
}

// hasMoved says whether a seat has made a move that stands.
func (t *table) hasMoved(seat int) bool {
	return slices.ContainsFunc(t.moves, func(m wire.Move) bool { return m.Seat == seat })
}

// takeBack takes turns back until a seat is to move again.
func (s *Server) takeBack(st *step, t *table, seat int) *wire.Error {
	for turn := t.turn - 1; turn >= 0; turn-- {
		n := slices.IndexFunc(t.moves, func(m wire.Move) bool { return m.Turn == turn })
		if !slices.ContainsFunc(t.moves[n:], func(m wire.Move) bool { return m.Turn == turn && m.Seat == seat }) {
			continue
		}
		if err := t.replay(slices.Clone(t.moves[:n])); err != nil {
			return &wire.Error{Code: wire.Internal, Text: err.Error(), Game: t.id}
		}
		t.offers, t.offered = nil, nil
		st.write(takeMoves, t.row, turn)
		s.startClocks(t)
		for c := range t.audience {
			s.tell(st, c, 0, t.state(c.account, c.views))
		}
		s.wakeDrivers(st, t)
		return nil
	}
	return &wire.Error{Code: wire.Refused, Text: "there is no move of that player", Game: t.id}
}

// chat passes a line on.
func (s *Server) chat(st *step, c *conn, m *wire.Chat) *wire.Error {
	line := wire.Line{From: c.account.name, Text: cleanText(m.Text), At: now()}
	if line.Text == "" {
		return nil
	}
	if m.Game == "" {
		frame := encode(0, &wire.Said{Line: line})
		for other := range s.conns {
			if other.lobby {
				st.out = append(st.out, delivery{other, frame})
			}
		}
		return nil
	}
	t := s.tables[m.Game]
	switch {
	case t == nil:
		return &wire.Error{Code: wire.NotFound, Text: "no such game", Game: m.Game}
	case t.seat(c.account) < 0 && !t.watchers[c]:
		return &wire.Error{Code: wire.NotYours, Text: "watch the game to talk there", Game: m.Game}
	}
	if t.said = append(t.said, line); len(t.said) > keptLines {
		t.said = slices.Clone(t.said[1:])
	}
	st.write(addChat, t.row, line.From, line.Text, line.At)
	s.tellTable(st, t, &wire.Said{Game: t.id, Line: line})
	return nil
}

// publish passes a player's analysis on to spectators.
func (s *Server) publish(st *step, a *account, m *wire.Analysis) *wire.Error {
	t, _, e := s.seated(a, m.Game)
	if e != nil {
		return e
	}
	if m.Turn < 0 || m.Turn > t.turn {
		return &wire.Error{Code: wire.WrongTurn, Text: fmt.Sprintf("the game is in turn %d", t.turn), Game: t.id}
	}
	m.By = a.name
	frame := encode(0, m)
	for c := range t.watchers {
		if t.seat(c.account) < 0 {
			st.out = append(st.out, delivery{c, frame})
		}
	}
	return nil
}
