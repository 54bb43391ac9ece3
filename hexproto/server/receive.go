package server

import (
	"context"
	"fmt"
	"time"

	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"

	"github.com/gorilla/websocket"
)

// receive does what a message says, and says whether the connection goes on.
func (s *Server) receive(c *conn, id uint64, m wire.Message, at time.Time) bool {
	switch m := m.(type) {
	case *wire.Hello:
		return s.hello(c, id, m)
	case *wire.Ping:
		if c.greeted() {
			c.reply(id, &wire.Pong{At: m.At, Now: now()})
			return true
		}
	}
	if !c.greeted() {
		c.reply(id, &wire.Error{Code: wire.HelloFirst, Text: "the first message is hello"})
		c.finish(websocket.ClosePolicyViolation, "no hello")
		return false
	}
	if m, ok := m.(*wire.Analyse); ok {
		go s.analyse(c, id, m)
		return true
	}
	if m, ok := m.(*wire.Watch); ok && s.watchOld(c, id, m) {
		return true
	}
	if m, ok := m.(*wire.Challenge); ok && s.taggedBefore(c, id, m) {
		return true
	}
	s.locked(func(st *step) {
		ack, err := s.do(st, c, id, m, at)
		switch {
		case err != nil:
			s.count.refused(err.Code)
			s.tell(st, c, id, err)
		case ack != nil:
			s.tell(st, c, id, ack)
			if _, ok := m.(*wire.Play); ok {
				st.after = append(st.after, func() { s.count.acknowledged.Observe(time.Since(at).Seconds()) })
			}
		}
	})
	return true
}

// do does what a message of a greeted connection says. It returns an answer, an
// error, or nothing where the answer was given already.
func (s *Server) do(st *step, c *conn, id uint64, m wire.Message, at time.Time) (*wire.Ack, *wire.Error) {
	ack := &wire.Ack{}
	switch m := m.(type) {
	case *wire.EnterLobby:
		if c.lobby = m.On; !m.On {
			return ack, nil
		}
		s.tell(st, c, id, s.lobbyState())
		return nil, nil
	case *wire.Challenge:
		return nil, s.challenge(st, c, id, m)
	case *wire.Accept:
		return nil, s.accept(st, c, id, m)
	case *wire.Decline:
		return nil, s.decline(st, c, id, m)
	case *wire.Cancel:
		return nil, s.cancel(st, c, id, m)
	case *wire.Watch:
		return nil, s.watch(st, c, id, m)
	case *wire.Unwatch:
		if t := s.tables[m.Game]; t != nil {
			s.unwatch(c, t)
		}
		return ack, nil
	case *wire.Play:
		return ack, s.play(st, c.account, m, at)
	case *wire.Resign:
		return ack, s.resign(st, c.account, m)
	case *wire.Abort:
		return ack, s.abort(st, c.account, m)
	case *wire.Offer:
		return ack, s.offer(st, c.account, m)
	case *wire.Chat:
		return ack, s.chat(st, c, m)
	case *wire.Analysis:
		return ack, s.publish(st, c.account, m)
	}
	return nil, &wire.Error{Code: wire.Internal, Text: fmt.Sprintf("%s is not done by anybody", wire.Type(m))}
}

func (c *conn) greeted() bool {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.account != nil
}

// hello lets a connection in, and tells it all that it may have missed.
func (s *Server) hello(c *conn, id uint64, m *wire.Hello) (ok bool) {
	var known *account
	if m.Token != "" {
		known = s.accountOf(s.ctx, m.Token)
	}
	s.locked(func(st *step) {
		err := s.admit(st, c, id, m, known)
		if ok = err == nil; ok {
			return
		}
		s.count.refused(err.Code)
		s.tell(st, c, id, err)
		st.after = append(st.after, func() { c.finish(websocket.ClosePolicyViolation, err.Code) })
	})
	return ok
}

func (s *Server) admit(st *step, c *conn, id uint64, m *wire.Hello, a *account) *wire.Error {
	token := ""
	switch {
	case c.account != nil:
		return &wire.Error{Code: wire.HelloFirst, Text: "hello was said already"}
	case m.Version != wire.Version:
		return &wire.Error{Code: wire.BadVersion, Text: fmt.Sprintf("version %d is not spoken here, but %d", m.Version, wire.Version)}
	case s.stopping:
		return &wire.Error{Code: wire.Refused, Text: "the server goes down", Retry: restartAfter.Milliseconds()}
	case m.Token != "" && a == nil && !s.AnyToken:
		return &wire.Error{Code: wire.BadToken, Text: "the token is of no account"}
	case a == nil && !s.Open:
		return &wire.Error{Code: wire.BadToken, Text: "a token is needed"}
	case a == nil:
		var err *wire.Error
		if a, token, err = s.register(st, m); err != nil {
			return err
		}
	case len(a.conns) >= s.limits.PerAccount:
		return &wire.Error{Code: wire.TooMany, Text: a.name + " has too many connections"}
	}
	c.account, c.views = a, m.Views
	a.conns[c], s.conns[c] = true, true
	if a.left != nil {
		a.left.Stop()
	}
	w := &wire.Welcome{
		Version: wire.Version, Server: s.Version, You: a.player(), Token: token, Now: now(), Games: []string{}, Rules: s.about,
		Limits: wire.Limits{
			Message: s.limits.Message, Rate: s.limits.Rate, Burst: s.limits.Burst, Games: s.limits.Games,
			Challenges: s.limits.Challenges, Idle: s.limits.Idle.Milliseconds(),
		},
	}
	for t := range a.tables {
		w.Games = append(w.Games, t.id)
	}
	s.tell(st, c, id, w)
	for t := range a.tables {
		if t.resumed {
			s.startClocks(t)
		}
		s.tell(st, c, 0, t.state(a, c.views))
		if len(a.conns) == 1 {
			s.tellTable(st, t, &wire.Presence{Game: t.id, Present: t.present(), Watchers: len(t.watchers)})
		}
	}
	for _, ch := range s.challenges {
		if ch.to == a {
			m := ch.message()
			s.tell(st, c, 0, &m)
		}
	}
	s.lobbyChanged()
	return nil
}

// left forgets a connection that has ended.
func (s *Server) left(c *conn) {
	s.locked(func(st *step) {
		a := c.account
		if a == nil {
			return
		}
		delete(s.conns, c)
		delete(a.conns, c)
		for t := range c.watches {
			delete(t.watchers, c)
		}
		if len(a.conns) > 0 || s.stopping {
			return
		}
		for t := range a.tables {
			s.tellTable(st, t, &wire.Presence{Game: t.id, Present: t.present(), Watchers: len(t.watchers)})
		}
		if a.challenges > 0 {
			a.left = time.AfterFunc(s.limits.ChallengeLife, func() { s.dropChallenges(a) })
		}
		s.lobbyChanged()
	})
}

// dropChallenges ends the challenges of an account that is gone.
func (s *Server) dropChallenges(a *account) {
	s.locked(func(st *step) {
		if len(a.conns) > 0 {
			return
		}
		for _, ch := range s.challenges {
			if ch.from == a {
				s.closeChallenge(st, ch, &wire.Closed{Why: "gone"})
			}
		}
	})
}

// watch shows a game to a connection.
func (s *Server) watch(st *step, c *conn, id uint64, m *wire.Watch) *wire.Error {
	t := s.tables[m.Game]
	if t == nil {
		return &wire.Error{Code: wire.NotFound, Text: "no such game", Game: m.Game}
	}
	if t.seat(c.account) < 0 && !c.watches[t] && t.result == nil {
		if len(c.watches) >= s.limits.Watched {
			return &wire.Error{Code: wire.TooMany, Text: "too many games are watched"}
		}
		c.watches[t], t.watchers[c] = true, true
	}
	s.tell(st, c, id, t.state(c.account, c.views))
	return nil
}

func (s *Server) unwatch(c *conn, t *table) {
	delete(c.watches, t)
	delete(t.watchers, c)
}

// watchOld answers for a game that is over since long, which the database has.
func (s *Server) watchOld(c *conn, id uint64, m *wire.Watch) bool {
	t, err := s.oldTable(m.Game)
	if err != nil || t == nil {
		return false
	}
	s.mu.Lock()
	state := t.state(c.account, c.views)
	s.mu.Unlock()
	c.reply(id, state)
	return true
}

// oldTable reads a game that is on no table, or returns nil.
func (s *Server) oldTable(id string) (*table, error) {
	s.mu.Lock()
	_, seated := s.tables[id]
	s.mu.Unlock()
	if seated {
		return nil, nil
	}
	tables, err := s.readLocked(`WHERE id = ? AND result IS NOT NULL`, id)
	if err != nil || len(tables) == 0 {
		return nil, err
	}
	return tables[0], nil
}

// analyse rates the moves of a position for a connection.
func (s *Server) analyse(c *conn, id uint64, m *wire.Analyse) {
	game, rules, e := s.position(c, m)
	if e == nil {
		e = s.analysed(c, id, m, rules, game)
	}
	if e != nil {
		c.reply(id, e)
	}
}

// analysisTime is what an analysis may take. There is one at a time.
const analysisTime = time.Second

func (s *Server) analysed(c *conn, id uint64, m *wire.Analyse, rules game.Analyst, g game.Game) *wire.Error {
	select {
	case s.analysing <- struct{}{}:
		defer func() { <-s.analysing }()
	case <-time.After(5 * analysisTime):
		return &wire.Error{Code: wire.TooFast, Text: "others are being answered", Game: m.Game, Retry: analysisTime.Milliseconds()}
	case <-s.ctx.Done():
		return nil
	}
	ctx, cancel := context.WithTimeout(s.ctx, analysisTime)
	defer cancel()
	by, moves, err := rules.Analyse(ctx, g)
	if err != nil {
		return &wire.Error{Code: wire.Refused, Text: err.Error(), Game: m.Game}
	}
	c.reply(id, &wire.Analysis{Game: m.Game, Turn: m.Turn, By: by, Moves: moves})
	return nil
}

// position returns a copy of a game before a turn, for analysis.
func (s *Server) position(c *conn, m *wire.Analyse) (game.Game, game.Analyst, *wire.Error) {
	old, err := s.oldTable(m.Game)
	if err != nil {
		return nil, nil, &wire.Error{Code: wire.Internal, Text: "the game cannot be read", Game: m.Game}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.tables[m.Game]
	if t == nil {
		t = old
	}
	if t == nil {
		return nil, nil, &wire.Error{Code: wire.NotFound, Text: "no such game", Game: m.Game}
	}
	rules, ok := t.rules.(game.Analyst)
	switch {
	case !ok:
		return nil, nil, &wire.Error{Code: wire.Refused, Text: t.name + " is not analysed here", Game: m.Game}
	case t.rated && t.result == nil && t.seat(c.account) >= 0:
		return nil, nil, &wire.Error{Code: wire.Refused, Text: "no help in a rated game", Game: m.Game}
	case m.Turn < 0 || m.Turn > t.turn:
		return nil, nil, &wire.Error{Code: wire.WrongTurn, Text: fmt.Sprintf("the game has had %d turns", t.turn), Game: m.Game}
	}
	twin := &table{id: t.id, rules: t.rules, game: t.game, clocks: newClocks(t.clocks.Clock)}
	n := 0
	for n < len(t.moves) && t.moves[n].Turn < m.Turn {
		n++
	}
	if err := twin.replay(t.moves[:n]); err != nil {
		return nil, nil, &wire.Error{Code: wire.Internal, Text: err.Error(), Game: m.Game}
	}
	if twin.game.Result() != nil {
		return nil, nil, &wire.Error{Code: wire.GameOver, Text: "there is nothing to move", Game: m.Game}
	}
	return twin.game, rules, nil
}
