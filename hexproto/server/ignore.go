package server

import (
	"database/sql"
	"slices"
	"time"

	"gamebots/hexproto/wire"
)

// maxIgnored is how many players an account ignores at most.
const maxIgnored = 200

const (
	addIgnored    = `REPLACE INTO ignored (account, other, block) VALUES (?, ?, ?)`
	removeIgnored = `DELETE FROM ignored WHERE account = ? AND other = ?`
)

// ignores reports whether an account reads no chat of another. A nil account ignores nobody.
func (a *account) ignores(other *account) bool {
	if a == nil {
		return false
	}
	_, ok := a.ignored[other]
	return ok
}

// blocks reports whether an account does not want to meet another.
func (a *account) blocks(other *account) bool { return a.ignored[other] }

// errBlocked is the refusal of a challenge between an account and another that blocks it.
func errBlocked(by *account) *wire.Error {
	return refusal(wire.Refused, "", "%s does not want to play with you", by.name)
}

// lists returns the players whom the account ignores.
func (a *account) lists() wire.Ignored {
	var m wire.Ignored
	for other, block := range a.ignored {
		list := &m.Muted
		if block {
			list = &m.Blocked
		}
		*list = append(*list, other.name)
	}
	slices.Sort(m.Muted)
	slices.Sort(m.Blocked)
	return m
}

// ignore changes whom an account ignores. A challenge of a player who is blocked is declined.
func (s *Server) ignore(tx *transaction, c *conn, id uint64, m *wire.Ignore, at time.Time) *wire.Error {
	a, other := c.account, tx.accounts.byName[key(m.Name)]
	wait := take(a.asked, at, 1) // each is written to the database
	switch known := a.ignores(other); {
	case wait > 0:
		return later(wait, refusal(wire.TooFast, "", "too many changes of whom you ignore"))
	case other == nil:
		return refusal(wire.NotFound, "", "nobody is called %s", m.Name)
	case other == a || other.builtin != nil:
		return refusal(wire.Refused, "", "you and the bots of the server cannot be ignored")
	case m.How != "" && m.How != wire.IgnoreChat && m.How != wire.IgnoreAll:
		return refusal(wire.BadMessage, "", "players are ignored by %q or %q, not by %q", wire.IgnoreChat,
			wire.IgnoreAll, m.How)
	case m.How != "" && !known && len(a.ignored) >= maxIgnored:
		return refusal(wire.TooMany, "", "you ignore %d players, the most that can be", maxIgnored)
	case m.How != "":
		a.ignored[other] = m.How == wire.IgnoreAll
		tx.write(addIgnored, a.name, other.name, a.ignored[other])
	case known:
		delete(a.ignored, other)
		tx.write(removeIgnored, a.name, other.name)
	}
	for _, ch := range tx.lobby.challenges {
		if ch.to == a && a.blocks(ch.from) {
			tx.lobby.close(tx, ch, &wire.Closed{Why: "declined", By: a.name, Reason: "blocked"})
		}
	}
	lists := a.lists()
	tx.send(c, id, &lists)
	others := encode(0, &lists)
	for each := range a.conns {
		if each != c {
			tx.show(each, others)
		}
	}
	return nil
}

// loadIgnored reads whom accounts ignore.
func (as *accounts) loadIgnored() error {
	const query = `SELECT account, other, block FROM ignored`
	return as.store.each(query, nil, func(rows *sql.Rows) error {
		var name, other string
		var block bool
		err := rows.Scan(&name, &other, &block)
		if a, b := as.byName[key(name)], as.byName[key(other)]; a != nil && b != nil {
			a.ignored[b] = block
		}
		return err
	})
}

// said is a line of the chat of a game, and who said it.
type said struct {
	wire.Line
	from *account
}

// maxChat is how many lines of chat are kept of the players of a game, and of its spectators.
const maxChat = 50

// addLine adds a line to the chat of the game.
func (t *table) addLine(line *said) {
	line.Spectator = t.seat(line.from) < 0
	t.chat = append(t.chat, *line)
	room := func(other said) bool { return other.Spectator == line.Spectator }
	n := 0
	for _, other := range t.chat {
		if room(other) {
			n++
		}
	}
	if n > maxChat {
		oldest := slices.IndexFunc(t.chat, room)
		t.chat = slices.Delete(slices.Clone(t.chat), oldest, oldest+1)
	}
}

// hears reports whether a reader in a seat, or a spectator, whose seat is -1, is sent a line:
// players do not read what spectators say while the game runs.
func (t *table) hears(seat int, a *account, line *said) bool {
	return !a.ignores(line.from) && !(line.Spectator && seat >= 0 && t.result == nil)
}

// saidTo returns the chat of the game for a reader.
func (t *table) saidTo(seat int, a *account) []wire.Line {
	var lines []wire.Line
	for i := range t.chat {
		if t.hears(seat, a, &t.chat[i]) {
			lines = append(lines, t.chat[i].Line)
		}
	}
	return lines
}
