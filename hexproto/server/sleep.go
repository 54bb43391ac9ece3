package server

import (
	"errors"
	"slices"
)

// A game whose players are away, or have days for a move, may sleep, so that others have its memory: then only the
// database has its moves and its lines of chat. Its clocks go on. It is woken by whoever asks
// for it, and by a clock that runs out.

// asleep reports whether the position of the game is not in memory.
func (t *table) asleep() bool { return t.game == nil }

// maySleep reports whether nobody follows the game, and nothing in memory is going to change it
// but a clock. Players of correspondence do not follow it, although they may be connected.
func (t *table) maySleep() bool {
	switch {
	case t.asleep() || t.result != nil || len(t.watchers) > 0:
		return false
	case t.clocks.Correspondence():
		return !slices.ContainsFunc(t.toMove(), func(seat int) bool { return t.seats[seat].builtin != nil })
	}
	return !(t.withBots() && !t.clocks.None()) && !t.seats.attended(t.present(), nil)
}

// sleep forgets the position.
func (t *table) sleep() {
	t.waits = t.toMove()
	t.position = position{
		rules: t.rules, options: options{short: t.options.short, cut: t.options.cut}, seed: t.seed, turn: t.turn,
		offers: t.offers, offered: t.offered, outlined: t.outline(),
	}
	t.chat = nil
	t.slept++
}

// makeRoom puts games to sleep until there is room for some bytes, and reports whether there is.
func (gs *games) makeRoom(bytes int) bool {
	for _, t := range gs.tables {
		if gs.memoryUsed+bytes <= gs.memoryMost {
			break
		}
		if t.maySleep() {
			t.sleep()
			gs.memoryUsed -= t.memory
		}
	}
	return gs.memoryUsed+bytes <= gs.memoryMost
}

// awake runs an operation under the lock while the position of a game is in memory. It reports
// whether the operation returned. Find returns the game, or nil, and is called under the lock.
// A client that is not nil has one game read at a time.
func (c *core) awake(client any, find func(*games) *table, f func(*transaction)) (ok bool) {
	var t, read *table // the game, and the same as the database has it
	for slept := 0; ; {
		again := false
		ok = c.locked(func(tx *transaction) {
			switch t = find(&tx.games); {
			case t == nil || !t.asleep() || t.result != nil:
			case read != nil && t.slept == slept:
				tx.game = t.ref()
				t.wakeUp(tx, read)
				defer tx.games.makeRoom(0)
			default:
				slept, again = t.slept, true
				return
			}
			f(tx)
		})
		if !again {
			return ok
		}
		if read = c.readSleeping(client, t); read == nil {
			return false
		}
	}
}

// withID returns how awake finds the game with an id.
func withID(id string) func(*games) *table {
	return func(gs *games) *table { return gs.tables[id] }
}

// readSleeping returns a game that sleeps as the database has it, or nil. It gives up the game
// if its rules fail.
func (c *core) readSleeping(client any, t *table) *table {
	if client != nil {
		done, err := c.waking.Take(c.ctx, client)
		if err != nil {
			return nil // the server ends
		}
		defer done()
	}
	if !c.store.flush() {
		return nil
	}
	read, err := c.readGames(`WHERE row = ?`, t.row)
	if err == nil && len(read) == 0 {
		err = errors.New("it is not in the database any more")
	}
	if err != nil {
		c.log.Error("a game cannot be read", "game", t.id, "error", err)
		return nil
	}
	if err := read[0].restore(); err != nil {
		c.log.Error("a game cannot be resumed", "game", t.id, "error", err)
		c.locked(t.giveUp)
		return nil
	}
	return read[0]
}

// wakeUp takes up the position of the game as it was read.
func (t *table) wakeUp(tx *transaction, read *table) {
	read.offers, read.offered = t.offers, t.offered
	t.position, t.chat, t.waits = read.position, read.chat, nil
	tx.games.memoryUsed += t.memory
	t.wakeBots(tx)
}
