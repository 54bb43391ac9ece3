package server

import (
	"fmt"
	"runtime/debug"
	"time"

	"gamebots/hexproto/wire"
)

// reasonFailed is why a game was aborted that the server could not go on with. It also
// marks the game in the database, where all of its moves are kept.
const reasonFailed = "the server failed"

// attempt runs a step of the server, and reports whether it returned. If it panics,
// its game is given up, and everything else goes on.
func (c *core) attempt(tx *transaction, step func(*transaction)) (ok bool) {
	defer func() {
		if fault := recover(); fault != nil {
			t := tx.game.Under(&tx.games)
			c.failed(t, fault)
			if t != nil {
				t.giveUp(tx)
			}
		}
	}()
	step(tx)
	return true
}

// failed logs a fault of the server or of a game's rules. A deferred function that has
// recovered from it calls it, so that the stack is that of the fault.
func (c *core) failed(t *table, fault any) {
	game := ""
	if t != nil {
		game = t.id
	}
	c.log.Error(reasonFailed, "fault", fault, "game", game, "stack", string(debug.Stack()))
}

// refused gives up a game of which the database does not take a row, or logs that it did not
// take another one.
func (c *core) refused(game tableRef, err error) {
	log := c.log.With("error", err)
	c.locked(func(tx *transaction) {
		if t := game.Under(&tx.games); t != nil {
			log = log.With("game", t.id)
			t.giveUp(tx)
		}
	})
	log.Error("the database refuses a row")
}

// giveUp aborts a game and forgets it. Nothing calls its rules any more.
func (t *table) giveUp(tx *transaction) {
	if t.result == nil {
		t.end(tx, t.aborted(reasonFailed))
	}
	tx.games.remove(t)
}

// answered runs a step of a connection without the lock. If it panics, the
// client hears that its message failed.
func (s *Server) answered(c *conn, id uint64, step func()) {
	defer func() {
		if fault := recover(); fault != nil {
			s.failed(nil, fault)
			c.reply(id, errFailed(""))
		}
	}()
	step()
}

func errFailed(game string) *wire.Error { return refusal(wire.Internal, game, reasonFailed) }

// refusal returns the answer to a message that the server does not carry out. The game is that
// of the message, or "". A text that repeats a long message is cut.
func refusal(code, game, format string, args ...any) *wire.Error {
	return &wire.Error{Code: code, Game: game, Text: cut(fmt.Sprintf(format, args...))}
}

// later returns a refusal that tells the client when to try again.
func later(after time.Duration, e *wire.Error) *wire.Error {
	e.Retry = (after + time.Millisecond - 1).Milliseconds()
	return e
}
