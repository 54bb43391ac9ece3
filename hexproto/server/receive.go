package server

import (
	"cmp"
	"maps"
	"reflect"
	"time"

	"gamebots/hexproto/server/database"
	"gamebots/hexproto/wire"
	"gamebots/internal/parallel"

	"github.com/gorilla/websocket"
)

// receive handles a message that arrived at a time, and reports whether the
// connection goes on.
func (s *Server) receive(c *conn, id uint64, m wire.Message, at time.Time) bool {
	switch m := m.(type) {
	case *wire.Hello:
		return s.hello(c, id, m)
	case *wire.Ping:
		if c.account != nil {
			c.reply(id, &wire.Pong{At: m.At, Now: now()})
			return true
		}
	}
	if c.account == nil { // this goroutine sets it
		c.reply(id, refusal(wire.HelloFirst, "", "the first message is hello"))
		c.finish(websocket.ClosePolicyViolation, "no hello")
		return false
	}
	if e := cmp.Or(s.tooLong(c, m), s.checkWords(c, m)); e != nil {
		c.reply(id, e)
		return true
	}
	if m, ok := m.(*wire.Analyse); ok {
		s.startAnalysis(c, id, m)
		return true
	}
	if m, ok := m.(*wire.Explore); ok {
		s.answered(c, id, func() { s.explore(c, id, m) })
		return true
	}
	if m, ok := m.(*wire.Import); ok {
		s.answered(c, id, func() { c.reply(id, s.importGame(c, m, at)) })
		return true
	}
	if m, ok := m.(*wire.Watch); ok && s.watchFinished(c, id, m) {
		return true
	}
	if m, ok := m.(*wire.Challenge); ok && s.refuseStoredTag(c, id, m) {
		return true
	}
	g, e := s.start(c, m, at)
	if e != nil {
		c.reply(id, e)
		return true
	}
	failed := func() { c.reply(id, errFailed("")) }
	ok := s.awake(c.account, c.wokenBy(m), func(tx *transaction) {
		tx.failed, tx.payers = failed, c.payers
		ack, err := s.dispatch(tx, c, id, m, g, at)
		switch {
		case err != nil:
			c.refused(err.Code)
			tx.send(c, id, err)
		case ack != nil:
			tx.send(c, id, ack)
			if _, ok := m.(*wire.Play); ok {
				tx.after = append(tx.after, func() { s.count.acknowledge(time.Since(at)) })
			}
		}
	})
	if !ok {
		failed()
	}
	return true
}

// wokenBy returns how awake finds the game of a message. Only who plays in a game, or asks for its
// state, wakes it: others would make the server read it again and again for answers that need no game.
func (c *conn) wokenBy(m wire.Message) func(*games) *table {
	id := gameOf(m)
	_, watches := m.(*wire.Watch)
	return func(gs *games) *table {
		if t := gs.tables[id]; t != nil && (watches || t.seat(c.account) >= 0) {
			return t
		}
		return nil
	}
}

// gameOf returns the id of the game of a message, or "".
func gameOf(m wire.Message) string {
	if game := reflect.ValueOf(m).Elem().FieldByName("Game"); game.IsValid() {
		return game.String()
	}
	return ""
}

// dispatch handles a message of a greeted connection, for which a game was started if it may begin
// one. It returns an answer, an error, or neither if the transaction has the answer.
func (s *Server) dispatch(tx *transaction, c *conn, id uint64, m wire.Message, g started,
	at time.Time) (*wire.Ack, *wire.Error) {
	ack := &wire.Ack{}
	switch m := m.(type) {
	case *wire.EnterLobby:
		if !m.On {
			delete(tx.lobby.listing.readers, c)
			return ack, nil
		}
		return nil, tx.lobby.enter(tx, c, id, m.Changes, at)
	case *wire.Challenge:
		return nil, tx.lobby.challenge(tx, c, id, m, g, at)
	case *wire.ViewChallenge:
		return nil, tx.lobby.view(tx, c, id, m)
	case *wire.Accept:
		return nil, tx.lobby.accept(tx, c, id, m, g)
	case *wire.Decline:
		return nil, tx.lobby.decline(tx, c, id, m)
	case *wire.Cancel:
		return nil, tx.lobby.cancel(tx, c, id, m)
	case *wire.Watch:
		return nil, s.watch(tx, c, id, m)
	case *wire.Unwatch:
		if t := tx.games.tables[m.Game]; t != nil && c.watches[t.ref()] {
			delete(c.watches, t.ref())
			delete(t.watchers, c)
			delete(c.owed, t.ref())
		}
		return ack, nil
	case *wire.Play:
		return ack, tx.games.play(tx, c.account, m, at)
	case *wire.Resign:
		return ack, tx.games.resign(tx, c.account, m)
	case *wire.Abort:
		return ack, tx.games.abort(tx, c.account, m)
	case *wire.Offer:
		return ack, tx.games.offer(tx, c.account, m)
	case *wire.Here:
		return ack, tx.games.here(tx, c.account, m)
	case *wire.Chat:
		return ack, s.chat(tx, c, m, at)
	case *wire.Ignore:
		return nil, s.ignore(tx, c, id, m, at)
	case *wire.Analysis:
		return ack, s.publish(tx, c, m)
	}
	return nil, refusal(wire.Internal, "", "the server cannot handle %s", wire.Type(m))
}

// hello admits a connection, and sends it all that it may have missed: the states of its games
// as it reads them.
func (s *Server) hello(c *conn, id uint64, m *wire.Hello) (ok bool) {
	var known *account
	if m.Token != "" {
		var refused *wire.Error
		if known, refused = s.withToken(s.ctx, c.address, m.Token); refused != nil {
			c.reply(id, refused)
			c.finish(websocket.ClosePolicyViolation, refused.Code)
			return false
		}
	}
	if known != nil && c.payers == nil { // a second hello is refused
		c.name.Store(&known.name)
		payers := s.payers(known, c.address)
		wait := max(s.budgets.hellos.Wait(clock(), 1, payers...), s.budgets.shown.Wait(clock(), 0, payers...))
		if wait > 0 {
			c.reply(id, later(wait, refusal(wire.TooMany, "", "%s signs in too often", known.name)))
			c.finish(websocket.ClosePolicyViolation, wire.TooMany)
			return false
		}
		s.budgets.hellos.Charge(clock(), 1, payers...)
	}
	failed := func() { // the client comes again, to the games that are left
		c.reply(id, errFailed(""))
		c.finish(websocket.CloseInternalServerErr, wire.Internal)
	}
	var waiting []string
	returned := s.locked(func(tx *transaction) {
		tx.failed = failed
		err := s.admit(tx, c, id, m, known)
		if ok = err == nil; ok {
			c.note(signedIn, "")
			waiting = tx.lobby.waitingFor(c.account)
			return
		}
		c.refused(err.Code)
		tx.send(c, id, err)
		tx.after = append(tx.after, func() { c.finish(websocket.ClosePolicyViolation, err.Code) })
	})
	if !returned {
		failed()
	}
	if ok {
		go s.catchUp(c, waiting)
	}
	return ok
}

// admit gives a connection its account, which is that of the hello's token, or nil
// if the server does not know the token.
func (s *Server) admit(tx *transaction, c *conn, id uint64, m *wire.Hello, a *account) *wire.Error {
	token := ""
	ban, isBanned := s.banned(a, c.address, false)
	switch {
	case c.account != nil:
		return refusal(wire.HelloFirst, "", "hello was said already")
	case m.Version != wire.Version:
		return refusal(wire.BadVersion, "", "this server speaks version %d, not %d", wire.Version, m.Version)
	case tx.stopping:
		return later(restartRetry, refusal(wire.Refused, "", "the server is going down"))
	case m.Token != "" && a == nil:
		return refusal(wire.BadToken, "", "the token is of no account")
	case a == nil && !s.Open:
		return refusal(wire.BadToken, "", "a token is needed")
	case isBanned:
		return errBanned(ban)
	case a != nil && clock().Before(a.kicked):
		return errKicked(a)
	case a != nil && len(a.conns) >= s.limits.PerAccount:
		return refusal(wire.TooMany, "", "%s has too many connections", a.name)
	case !c.place.SignIn():
		return later(5*time.Second, refusal(wire.TooMany, "", "too many connections"))
	case a == nil:
		var err *wire.Error
		if a, token, err = tx.accounts.register(tx, m); err != nil {
			return err
		}
	}
	c.name.Store(&a.name)
	c.account, c.views, c.token = a, m.Views, database.Hash(cmp.Or(token, m.Token))
	c.payers, c.catching = s.payers(a, c.address), true
	tx.payers = c.payers
	c.joinQueues(a)
	a.conns[c], tx.lobby.conns[c] = true, true
	if a.expiry != nil {
		a.expiry.Stop()
	}
	w := &wire.Welcome{
		Version: wire.Version, Server: s.Version, You: a.player(a.mainKind()), Ratings: a.ratings(), Token: token,
		Now: now(), Games: tx.games.of(a), Rules: s.about,
		Limits: wire.Limits{
			Message: s.limits.Message, Rate: s.limits.Rate, Burst: s.limits.Burst, Games: s.limits.Games,
			BotGames: s.limits.BotGames, Challenges: s.limits.Challenges, Idle: s.limits.Idle.Milliseconds(),
		},
		Ignored: a.lists(),
	}
	tx.send(c, id, w)
	c.owed = maps.Clone(a.tables)
	for game := range a.tables {
		tx.game = game
		t := game.Under(&tx.games)
		if t.resumed {
			t.startClocks(tx)
		}
		if len(a.conns) == 1 {
			t.wakeBots(tx)
			t.sendPresence(tx)
		}
	}
	tx.game = tableRef{}
	if len(a.conns) > 1 {
		tx.sendAll(a, &wire.Connections{Count: len(a.conns)})
	}
	tx.lobby.changed()
	return nil
}

// disconnected forgets a connection that has ended.
func (s *Server) disconnected(c *conn) {
	s.locked(func(tx *transaction) {
		a := c.account
		if a == nil {
			return
		}
		tx.payers = c.payers
		delete(tx.lobby.conns, c)
		delete(tx.lobby.listing.readers, c)
		delete(a.conns, c)
		for game := range c.watches {
			delete(game.Under(&tx.games).watchers, c)
		}
		if tx.stopping {
			return
		}
		if n := len(a.conns); n > 0 {
			tx.sendAll(a, &wire.Connections{Count: n})
			return
		}
		for game := range a.tables {
			t := game.Under(&tx.games)
			t.dropEngines(tx)
			t.sendPresence(tx)
		}
		if a.challenges > 0 {
			a.expiry = time.AfterFunc(s.limits.ChallengeLife, func() { s.expire(a, s.limits.ChallengeLife) })
		}
		tx.lobby.changed()
	})
}

// watch shows a game to a connection, and makes it a spectator.
func (s *Server) watch(tx *transaction, c *conn, id uint64, m *wire.Watch) *wire.Error {
	t := tx.games.tables[m.Game]
	if t == nil {
		return refusal(wire.NotFound, m.Game, "no such game")
	}
	tx.game = t.ref()
	if t.seat(c.account) < 0 && !c.watches[t.ref()] && t.result == nil {
		if len(c.watches) >= s.limits.Watched {
			return refusal(wire.TooMany, "", "too many games are watched")
		}
		c.watches[t.ref()], t.watchers[c] = true, true
	}
	t.show(tx, c, id)
	return nil
}

// watchFinished shows a game that only the database has, and reports whether it is one.
func (s *Server) watchFinished(c *conn, id uint64, m *wire.Watch) bool {
	if s.inMemory(m.Game) {
		return false
	}
	t, err := s.archive.open(c.ctx, c.account, m.Game)
	switch {
	case err != nil:
		c.reply(id, errFailed(m.Game))
	case t != nil:
		c.reply(id, parallel.Get(&s.state, func(*state) *wire.Game { return t.stateFor(t.readerOf(c)) }))
	default:
		return false
	}
	return true
}

// chat sends a line to the lobby or to a game.
func (s *Server) chat(tx *transaction, c *conn, m *wire.Chat, at time.Time) *wire.Error {
	line := &said{wire.Line{From: c.account.name, Text: cleanText(m.Text), At: date()}, c.account}
	if line.Text == "" {
		return nil
	}
	if wait := take(c.account.chatted, at, 1); wait > 0 {
		return later(wait, refusal(wire.TooFast, m.Game, "too many lines of chat at once"))
	}
	if m.Game == "" {
		tx.lobby.chat(tx, line)
		return nil
	}
	if e := s.mayStore(c.account, c.payers...); e != nil {
		return e
	}
	return tx.games.chat(tx, c, m.Game, line)
}
