package server

import (
	"cmp"

	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
)

// study is a position that an account studies: one of a game, or one that a variation of the
// game leads to.
type study struct {
	id       string // id of the game
	rules    string // name of the rules
	finished bool   // the game is over
	foreign  bool   // it was played elsewhere
	turn     int
	line     []string  // moves of the variation
	past     *position // before the turn
}

// studyOf finds a position of a game that an account may study. Nobody gets help in a running
// game that is guarded.
func (s *Server) studyOf(c *conn, id string, turn int, line []string) (st *study, e *wire.Error) {
	var finished *table
	if !s.inMemory(id) {
		var err error
		if finished, err = s.archive.open(c.ctx, c.account, id); err != nil {
			return nil, errFailed(id)
		}
	}
	if !s.awake(c.account, withID(id), func(tx *transaction) {
		st, e = studyIn(cmp.Or(tx.games.tables[id], finished), id, turn, line)
	}) {
		return nil, errFailed(id)
	}
	return st, e
}

// studyIn finds the position in a game, which may be nil.
func studyIn(t *table, id string, turn int, line []string) (*study, *wire.Error) {
	if t == nil {
		return nil, refusal(wire.NotFound, id, "no such game")
	}
	_, hidden := t.rules.(game.Dealer)
	switch {
	case turn < 0 || turn > t.turn:
		return nil, refusal(wire.WrongTurn, id, "the game has had %d turns", t.turn)
	case t.guarded():
		return nil, refusal(wire.Refused, id, noHelp)
	case len(line) > 0 && hidden: // it would show the cards
		return nil, refusal(wire.Refused, id, "there are no variations of %s", t.rulesName)
	}
	return &study{t.id, t.rulesName, t.result != nil, t.foreign != "", turn, line, t.past(turn)}, nil
}

// reach plays the game up to the position of a study, without the server's lock.
func (s *Server) reach(c *conn, st *study) *wire.Error {
	done, err := s.archive.reading.Take(c.ctx, c.account)
	if err != nil {
		return errFailed(st.id) // the client has left
	}
	defer done()
	p, clocks := st.past, new(clocks)
	if err := p.replay(p.moves, clocks); err != nil {
		panic(err) // the same moves were legal in the game
	}
	for _, move := range st.line {
		seats := p.waiting()
		switch {
		case p.game.Result() != nil:
			return refusal(wire.GameOver, st.id, "%s comes after the end of the game", move)
		case len(seats) != 1:
			return refusal(wire.Refused, st.id, "there are no variations of games in which all move at once")
		}
		text, err := p.game.Check(seats[0], move)
		if err == nil {
			_, err = p.play(seats[0], text, 0, clocks)
		}
		if err != nil {
			return refusal(wire.Illegal, st.id, "%v", err)
		}
	}
	return nil
}

// explore answers with a position.
func (s *Server) explore(c *conn, id uint64, m *wire.Explore) {
	st, e := s.studyOf(c, m.Game, m.Turn, m.Line)
	if e == nil {
		e = s.reach(c, st)
	}
	if e != nil {
		c.reply(id, e)
		return
	}
	g := st.past.game
	c.reply(id, &wire.Position{
		Game: st.id, Turn: st.turn, Line: st.line, ToMove: st.past.waiting(), Swap: g.CanSwap(), Result: g.Result(),
		View: g.View(),
	})
}
