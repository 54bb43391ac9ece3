package server

import (
	"crypto/rand"
	"database/sql"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"gamebots/hexproto/wire"
)

// lobby is where players meet: connections, and the challenges that they make.
type lobby struct {
	*core
	accounts   *accounts
	games      *games
	conns      map[*conn]bool        // greeted ones
	challenges map[string]*challenge // open ones, by id
	opened     int64                 // how many were
	listing    listing
}

// newID returns a random id that is unique.
func newID(prefix string) string { return prefix + strings.ToLower(rand.Text()[:12]) }

// maxClock is the longest time of a clock in milliseconds: a month.
const maxClock = int64(31 * 24 * time.Hour / time.Millisecond)

// challenge opens a challenge. It starts the game at once where a bot of the
// server is challenged.
func (l *lobby) challenge(tx *transaction, c *conn, id uint64, m *wire.Challenge, g started,
	at time.Time) *wire.Error {
	from := c.account
	ch, e := newChallenge(from, m, g)
	if e != nil {
		return e
	}
	ch.payers = c.payers
	if e := l.duplicateTag(from, m.Tag); e != nil {
		return e
	}
	if e := l.findOpponent(ch); e != nil {
		return e
	}
	if e := l.findOthers(ch); e != nil {
		return e
	}
	if waiting := l.crossed(ch); waiting != nil {
		return l.accept(tx, c, id, &wire.Accept{Challenge: waiting.id}, g)
	}
	if e := l.mayStore(from, c.payers...); e != nil {
		return e
	}
	if e := l.games.limit(from, ch); e != nil {
		return e
	}
	if ch.Rated {
		if e := l.games.ratedLimit(from, ch.to); e != nil {
			return e
		}
	}
	if ch.to != nil && ch.to.builtin != nil {
		if !ch.to.plays(m.Rules) {
			return refusal(wire.Refused, "", "%s does not play %s", ch.To, m.Rules)
		}
		t := l.games.begin(tx, ch, []*account{from, ch.to}, g)
		tx.send(c, id, &wire.Ack{Game: t.id, Challenge: ch.id})
		t.sendState(tx)
		return nil
	}
	if from.challenges >= l.limits.Challenges {
		return errChallenges()
	}
	if ch.to != nil {
		if wait := take(from.challenged, at, 1); wait > 0 {
			return later(wait, refusal(wire.TooFast, "", "too many challenges to players"))
		}
	}
	from.challenges++
	l.opened++
	ch.number = l.opened
	l.challenges[ch.id] = ch
	tx.send(c, id, &wire.Ack{Challenge: ch.id})
	l.announce(tx, ch)
	return nil
}

// errDuplicate returns the error of a tag that is in use.
func errDuplicate() *wire.Error {
	return refusal(wire.Duplicate, "", "the tag is that of another game")
}

// duplicateTag returns an error if an account's tag is that of a challenge or of a
// game in memory.
func (l *lobby) duplicateTag(from *account, tag string) *wire.Error {
	if tag == "" {
		return nil
	}
	e := errDuplicate()
	if e.Game = l.games.tags[tagKey{from, tag}]; e.Game != "" {
		return e
	}
	for _, ch := range l.challenges {
		if ch.from == from && ch.Tag == tag {
			e.Text = "the tag is that of challenge " + ch.id
			return e
		}
	}
	return nil
}

// refuseStoredTag answers a challenge whose tag is that of a game in the database, and one if the
// database cannot be read. It reports whether it did. It reads the database without the lock,
// before duplicateTag is called with it: a game leaves memory long after it was stored.
// The answer passes through the store, so that it comes after the game itself.
func (s *Server) refuseStoredTag(c *conn, id uint64, m *wire.Challenge) bool {
	if m.Tag == "" {
		return false
	}
	e := errDuplicate()
	err := s.store.db.QueryRowContext(s.ctx, `SELECT id FROM games WHERE maker = ? AND tag = ?`,
		c.account.name, m.Tag).Scan(&e.Game)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return false
	case err != nil:
		if e = errFailed(""); s.ctx.Err() == nil { // it ends otherwise
			s.log.Error("looking for a tag", "error", err)
		}
	}
	c.refused(e.Code)
	s.locked(func(tx *transaction) { tx.send(c, id, e) })
	return true
}

// view shows an open challenge to an account that has its id.
func (l *lobby) view(tx *transaction, c *conn, id uint64, m *wire.ViewChallenge) *wire.Error {
	ch := l.challenges[m.Challenge]
	if ch == nil || !ch.concerns(c.account) {
		return errNoChallenge()
	}
	tx.send(c, id, ch.message(c.account))
	return nil
}

// waitingFor returns the ids of the challenges to an account, and of those that it has joined.
func (l *lobby) waitingFor(a *account) (ids []string) {
	for _, ch := range l.challenges {
		if ch.to == a || ch.hasJoined(a) {
			ids = append(ids, ch.id)
		}
	}
	return ids
}

func errChallenges() *wire.Error {
	return refusal(wire.TooMany, "", "too many open challenges")
}

func errNoChallenge() *wire.Error {
	return refusal(wire.NotFound, "", "no such challenge")
}

// decline refuses a challenge to the account. Nobody can decline a challenge to
// all.
func (l *lobby) decline(tx *transaction, c *conn, id uint64, m *wire.Decline) *wire.Error {
	ch := l.challenges[m.Challenge]
	switch {
	case ch == nil || ch.to != c.account:
		return errNoChallenge()
	case !slices.Contains(wire.Reasons, m.Reason):
		return refusal(wire.BadMessage, "", "there is no reason %q", m.Reason)
	}
	tx.send(c, id, &wire.Ack{Challenge: ch.id})
	text := cleanText(m.Text)
	if ch.from.ignores(c.account) || l.showsTooMuch("", c.payers) != nil {
		text = ""
	}
	l.close(tx, ch, &wire.Closed{Why: "declined", By: c.account.name, Reason: m.Reason, Text: text})
	return nil
}

// close ends a challenge and tells all sides.
func (l *lobby) close(tx *transaction, ch *challenge, m *wire.Closed) {
	delete(l.challenges, ch.id)
	ch.from.challenges--
	m.Challenge = ch.id
	for _, a := range ch.joined {
		a.challenges--
	}
	told := ch.players()
	if ch.to != nil {
		told = append(told, ch.to)
	}
	for _, a := range told {
		m.Tag = ch.tagFor(a)
		tx.sendAll(a, m)
	}
	l.changed()
}

// life returns how long the challenge stays when a player of it is disconnected. Private ones stay for longer: a phone
// may drop the connection while its owner sends the link. Those with days for a move wait for days.
func (c *core) life(ch *challenge) time.Duration {
	switch {
	case ch.Clock.Correspondence():
		return c.limits.Abandoned
	case ch.Private:
		return c.limits.ChallengeLife + c.limits.PrivateLife
	}
	return c.limits.ChallengeLife
}

// expire closes the challenges of an account that has been disconnected for a time, and withdraws its acceptances. It
// does so again when the next ones have lived as long.
func (c *core) expire(a *account, away time.Duration) {
	c.locked(func(tx *transaction) {
		if len(a.conns) > 0 {
			return
		}
		next := time.Duration(math.MaxInt64)
		for _, ch := range tx.lobby.challenges {
			switch life := c.life(ch); {
			case ch.from != a && !ch.hasJoined(a):
			case life > away:
				next = min(next, life)
			case ch.from == a:
				tx.lobby.close(tx, ch, &wire.Closed{Why: "gone"})
			default:
				tx.lobby.leave(tx, ch, a)
			}
		}
		if a.challenges > 0 {
			a.expiry = time.AfterFunc(next-away, func() { c.expire(a, next) })
		}
	})
}

// chat sends a line to everyone in the lobby.
func (l *lobby) chat(tx *transaction, line *said) {
	frame := encode(0, &wire.Said{Line: line.Line})
	for c := range l.listing.readers {
		if !c.account.ignores(line.from) {
			tx.show(c, frame)
		}
	}
}
