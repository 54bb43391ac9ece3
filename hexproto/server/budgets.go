package server

import (
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
	sent   *limit.Flow // bytes of answers to requests
	hellos *limit.Flow
}

// An account has a part of what it may store left for the moves of its running games when it
// can begin no more. Answers come at once until they are as many bytes as those of sentBurst
// seconds.
const (
	movesShare = 0.5
	sentBurst  = 32
	helloRate  = 1 // a second
)

func newBudgets(l Limits) budgets {
	stored, sent := float64(l.Stored), float64(l.Sent)
	return budgets{
		stored: limit.NewFlow(stored/time.Hour.Seconds(), (1+movesShare)*stored),
		sent:   limit.NewFlow(sent, sentBurst*sent),
		hellos: limit.NewFlow(helloRate, 2*float64(l.PerAccount)),
	}
}

// payers returns who pays for what a connection does once it has an account.
func (s *Server) payers(a *account, c *conn) []limit.Payer {
	payers := []limit.Payer{a.payer()}
	if !s.sharedAddress(c.address) {
		payers = append(payers, limit.Payers(c.address)...)
	}
	return payers
}

// payer returns an account as the one that pays.
func (a *account) payer() limit.Payer { return limit.Payer{Key: a, Share: 1} }

// tooLong returns the refusal of a request whose answer may be long, if its sender has had too
// many bytes of answers, or nil.
func (s *Server) tooLong(c *conn, m wire.Message) *wire.Error {
	switch m := m.(type) {
	case *wire.Watch, *wire.ViewChallenge, *wire.Explore:
	case *wire.EnterLobby:
		if !m.On {
			return nil
		}
	default:
		return nil
	}
	if wait := s.budgets.sent.Wait(clock(), 0, c.payers...); wait > 0 {
		return later(wait, refusal(wire.TooFast, "", "you have asked for %s in a short time",
			memory.Bytes(sentBurst*int64(s.limits.Sent))))
	}
	return nil
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
