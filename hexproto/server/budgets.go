package server

import (
	"net/http"
	"time"

	"gamebots/hexproto/game"
	"gamebots/hexproto/server/internal/limit"
	"gamebots/hexproto/wire"
	"gamebots/internal/memory"
)

// budgets are what accounts, and the networks from which they come, may use over time.
// They need no lock.
type budgets struct {
	stored *limit.Flow // bytes in the database
	sent   *limit.Flow // bytes of answers to requests, and of games that are watched
	shown  *limit.Flow // bytes that others are sent because of an account, without those of its games
	read   *limit.Flow // bytes of records and lists over HTTP
	solved *limit.Flow // seconds in which spots are solved
	hellos *limit.Flow
}

// An account has a part of what it may store left for the moves of its running games when it
// can begin no more. Answers come at once until they are as many bytes as those of sentBurst
// seconds.
const (
	movesShare = 0.5
	sentBurst  = 32
	helloRate  = 10 // a second
)

func newBudgets(l Limits) budgets {
	stored, sent := float64(l.Stored), float64(l.Sent)
	return budgets{
		stored: limit.NewFlow(stored/time.Hour.Seconds(), (1+movesShare)*stored),
		sent:   limit.NewFlow(sent, sentBurst*sent),
		shown:  limit.NewFlow(sent, sentBurst*sent),
		read:   limit.NewFlow(sent, sentBurst*sent),
		solved: limit.NewFlow(0.5, mostSolving.Seconds()),
		hellos: limit.NewFlow(helloRate, 2*float64(l.PerAccount)),
	}
}

// payers returns who pays for what an account, or nil, does from an address.
func (s *Server) payers(a *account, address string) (payers []limit.Payer) {
	if a != nil {
		payers = append(payers, a.payer())
	}
	if !s.sharedAddress(address) {
		payers = append(payers, limit.Payers(address)...)
	}
	return payers
}

// payersOf returns the account of a request, or nil, and who pays for it.
func (s *Server) payersOf(r *http.Request) (a *account, payers []limit.Payer) {
	a, _ = r.Context().Value(callerKey{}).(*account)
	return a, s.payers(a, s.client(r))
}

// payer returns an account as the one that pays.
func (a *account) payer() limit.Payer { return limit.Payer{Key: a, Share: 1} }

// tooLong returns the refusal of a request whose answer may be long, if its sender has had too
// many bytes of answers, and of what others are told of, if they were sent too many because of
// its sender, or nil.
func (s *Server) tooLong(c *conn, m wire.Message) *wire.Error {
	switch m := m.(type) {
	case *wire.Watch, *wire.ViewChallenge, *wire.Explore, *wire.Analyse, *wire.Import:
		return s.askedTooMuch(s.budgets.sent, c.payers)
	case *wire.EnterLobby:
		if m.On {
			return s.askedTooMuch(s.budgets.sent, c.payers)
		}
	case *wire.Chat, *wire.Analysis, *wire.Challenge, *wire.Accept:
		return s.showsTooMuch(gameOf(m), c.payers)
	case *wire.Offer:
		if m.Offer == wire.OfferTakeback && !m.No { // all spectators are sent the state
			return s.showsTooMuch(m.Game, c.payers)
		}
	}
	return nil
}

// showsTooMuch returns the refusal of what others are told of if they were sent too many bytes because
// of those who pay, or nil.
func (c *core) showsTooMuch(game string, payers []limit.Payer) *wire.Error {
	if wait := c.budgets.shown.Wait(clock(), 0, payers...); wait > 0 {
		return later(wait, refusal(wire.TooFast, game, "others are sent more of what you do than %s a second",
			memory.Bytes(int64(c.limits.Sent))))
	}
	return nil
}

// askedTooMuch returns the refusal of a request whose senders have had too many bytes of a flow, or nil.
func (s *Server) askedTooMuch(f *limit.Flow, payers []limit.Payer) *wire.Error {
	if wait := f.Wait(clock(), 0, payers...); wait > 0 {
		return later(wait, refusal(wire.TooFast, "", "you have asked for %s in a short time",
			memory.Bytes(sentBurst*int64(s.limits.Sent))))
	}
	return nil
}

// metered is private, and charges the bytes of the answer to who sends the request. Nobody is cut off:
// who has had too many bytes waits before the next request.
func (s *Server) metered(h http.HandlerFunc) http.HandlerFunc {
	return s.private(func(w http.ResponseWriter, r *http.Request) {
		a, payers := s.payersOf(r)
		if refused := s.askedTooMuch(s.budgets.read, payers); refused != nil {
			s.tooMany(w, r, a, refused)
			return
		}
		h(&meter{w, s.budgets.read, payers}, r)
	})
}

// meter is an http.ResponseWriter that charges what is written.
type meter struct {
	http.ResponseWriter
	flow   *limit.Flow
	payers []limit.Payer
}

// Unwrap gives http.ResponseController the writer of the server.
func (m *meter) Unwrap() http.ResponseWriter { return m.ResponseWriter }

func (m *meter) Write(text []byte) (int, error) {
	m.flow.Charge(clock(), float64(len(text)), m.payers...)
	return m.ResponseWriter.Write(text)
}

// mayStore returns an error if an account, or its network, has stored so much that it may begin
// no games, and write no lines.
func (c *core) mayStore(a *account, payers ...limit.Payer) *wire.Error {
	wait := c.budgets.stored.Wait(clock(), movesShare*float64(c.limits.Stored), payers...)
	if wait <= 0 {
		return c.hasSpace()
	}
	return later(wait, refusal(wire.TooMany, "", "%s has stored %s in an hour, the limit: its running games go on",
		a.name, memory.Bytes(int64(c.limits.Stored))))
}

// tableBytes is what a table takes in memory beside its game.
const tableBytes = 4 << 10

// bytesOf returns about how many bytes of memory a game takes with its table.
func bytesOf(g game.Game) int {
	size := tableBytes + len(g.Options())
	if m, ok := g.(game.Measured); ok {
		return size + m.Bytes()
	}
	return size + game.DefaultBytes
}
