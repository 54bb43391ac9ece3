package server

import (
	"time"

	"gamebots/internal/parallel"
)

// unread is how many bytes a connection may have to read when it is sent one more state or challenge.
const unread = 64 << 10

// catchUp sends a connection the states of the games that it is owed, and then the challenges that
// waited for its account when it came, by their ids, one after the other as it reads them: there may be many.
func (s *Server) catchUp(c *conn, waiting []string) {
	if !s.sendStates(c) {
		return
	}
	for _, id := range waiting {
		if !c.hasRead() {
			return
		}
		queued := make(chan struct{})
		s.locked(func(tx *transaction) {
			tx.after = append(tx.after, func() { close(queued) })
			if ch := tx.lobby.challenges[id]; ch != nil {
				tx.send(c, 0, ch.notice(c.account))
			}
		})
		if parallel.Wait(c.ctx, queued) != nil {
			return
		}
	}
}

// hasRead waits until a connection has little left to read, and reports whether it goes on.
func (c *conn) hasRead() bool {
	for c.size.Load() > unread {
		if parallel.Wait(c.ctx, c.taken) != nil {
			return false
		}
	}
	parallel.Signal(c.taken) // another step of catching up may wait, too
	return true
}

// sendStates sends the states, and reports whether the connection goes on.
func (s *Server) sendStates(c *conn) bool {
	for {
		if !c.hasRead() || parallel.Wait(c.ctx, time.After(s.budgets.sent.Wait(clock(), 0, c.payers...))) != nil {
			return false
		}
		var game tableRef
		s.state.With(func(*state) {
			for game = range c.owed {
				break
			}
			c.catching = game != tableRef{}
		})
		if (game == tableRef{}) {
			return true
		}
		queued := make(chan struct{})
		ok := s.awake(c.account, game.Under, func(tx *transaction) {
			tx.after = append(tx.after, func() { close(queued) })
			if !c.owed[game] {
				return // it was sent on request
			}
			tx.game, tx.payers = game, c.payers
			game.Under(&tx.games).show(tx, c, 0)
		})
		if !ok { // the game was given up
			s.locked(func(tx *transaction) {
				delete(c.owed, game)
				tx.send(c, 0, errFailed(game.Under(&tx.games).id))
			})
			continue
		}
		if parallel.Wait(c.ctx, queued) != nil {
			return false
		}
	}
}

// owe has a connection sent the state of the game once it has read what it was sent before.
func (t *table) owe(tx *transaction, c *conn) {
	c.owed[t.ref()] = true
	if !c.catching {
		c.catching = true
		tx.after = append(tx.after, func() { go c.s.sendStates(c) })
	}
}

// show sends a connection the state of the game, as the answer to a request or, if the id is 0,
// because it was owed.
func (t *table) show(tx *transaction, c *conn, id uint64) {
	delete(c.owed, t.ref())
	f := encode(id, t.stateFor(t.readerOf(c)))
	tx.answered += len(f.text)
	tx.enqueue(c, f)
}
