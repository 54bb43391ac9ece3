package server

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"gamebots/hexproto/server/database"
	"gamebots/hexproto/wire"

	"github.com/gorilla/websocket"
)

const answerOrder = `UPDATE orders SET argument = ? WHERE row = ?`

// online returns the connections that have signed in, by account and then by time, as JSON.
func (l *lobby) online() string {
	all := []database.Online{}
	for c := range l.conns {
		all = append(all, database.Online{Name: c.account.name, Address: c.address, Since: c.since, Agent: c.agent})
	}
	slices.SortFunc(all, func(a, b database.Online) int {
		return cmp.Or(cmp.Compare(key(a.Name), key(b.Name)), a.Since.Compare(b.Since))
	})
	text, _ := json.Marshal(all) // plain values cannot fail
	return string(text)
}

// kickRetry is how long an account is kept out whose connections the host has closed.
const kickRetry = time.Minute

// kick closes the connections of an account.
func (s *Server) kick(tx *transaction, name string) {
	a := tx.accounts.named(name)
	a.kicked = clock().Add(kickRetry)
	for c := range a.conns {
		c.shutOut(tx, errKicked(a))
	}
	s.log.Info("the host closed the connections of an account", "account", name)
}

func errKicked(a *account) *wire.Error {
	return later(a.kicked.Sub(clock()), refusal(wire.Refused, "", "the host closed this connection"))
}

// shutOut tells a client why its connection is closed, and closes it.
func (c *conn) shutOut(tx *transaction, e *wire.Error) {
	tx.send(c, 0, e)
	tx.after = append(tx.after, func() { c.finish(websocket.ClosePolicyViolation, e.Code) })
	c.note(cutOff, e.Code)
}
