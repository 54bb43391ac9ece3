package server

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
)

// lobby is where players meet: connections, and the challenges that they make. It
// is guarded by the server's lock.
type lobby struct {
	*core
	rules      map[string]game.Rules
	accounts   *accounts
	games      *games
	conns      map[*conn]bool        // greeted ones
	challenges map[string]*challenge // open ones, by id
	scheduled  bool                  // an update of the lobby is
}

// challenge is an open challenge.
type challenge struct {
	id      string
	from    *account
	to      *account // nil for all
	fill    *account // a bot of the server for the other seats, where there are more than two
	others  int      // how many those are
	rules   game.Rules
	options json.RawMessage // complete
	kind    string
	wire.Challenge
}

func (c *challenge) message() wire.Challenged {
	return wire.Challenged{
		Challenge: c.id, From: c.from.player(c.kind), To: c.To, Rules: c.Rules, Options: c.options, Kind: c.kind,
		Clock: c.Clock, Rated: c.Rated, Seat: c.Seat, Only: c.Only, Private: c.Private, Fill: c.Fill, Tag: c.Tag,
	}
}

// concerns reports whether an account may see the challenge.
func (c *challenge) concerns(a *account) bool { return c.to == nil || c.to == a || c.from == a }

// newID returns a random id that is unique.
func newID(prefix string) string { return prefix + strings.ToLower(rand.Text()[:12]) }

// maxClock is the longest time of a clock in milliseconds: a month.
const maxClock = int64(31 * 24 * time.Hour / time.Millisecond)

const maxTag = 64

// challenge opens a challenge. It starts the game at once where a bot of the
// server is challenged.
func (l *lobby) challenge(tx *transaction, c *conn, id uint64, m *wire.Challenge) *wire.Error {
	from := c.account
	ch, e := l.newChallenge(from, m)
	if e != nil {
		return e
	}
	if e := l.duplicateTag(from, m.Tag); e != nil {
		return e
	}
	if e := l.findOpponent(ch); e != nil {
		return e
	}
	if e := l.findOthers(ch); e != nil {
		return e
	}
	if e := l.games.limit(from); e != nil {
		return e
	}
	if ch.fill != nil {
		if e := l.games.botLimit(from, ch.fill); e != nil {
			return e
		}
	}
	if ch.to != nil && ch.to.builtin != nil {
		if !slices.Contains(ch.to.builtin.Rules, m.Rules) {
			return &wire.Error{Code: wire.Refused, Text: ch.To + " does not play " + m.Rules}
		}
		if e := l.games.botLimit(from, ch.to); e != nil {
			return e
		}
		t, e := l.games.begin(tx, ch, ch.to)
		if e != nil {
			return e
		}
		tx.send(c, id, &wire.Ack{Game: t.id, Challenge: ch.id})
		t.announce(tx)
		return nil
	}
	if from.challenges >= l.limits.Challenges {
		return &wire.Error{Code: wire.TooMany, Text: "too many open challenges"}
	}
	from.challenges++
	l.challenges[ch.id] = ch
	tx.send(c, id, &wire.Ack{Challenge: ch.id})
	if ch.to != nil {
		m := ch.message()
		tx.sendAll(ch.to, &m)
	}
	l.changed()
	return nil
}

// newChallenge checks a challenge by itself.
func (l *lobby) newChallenge(from *account, m *wire.Challenge) (*challenge, *wire.Error) {
	rules := l.rules[m.Rules]
	if rules == nil {
		return nil, &wire.Error{Code: wire.NotFound, Text: fmt.Sprintf("there are no rules %q", m.Rules)}
	}
	g, err := rules.New(m.Options)
	if err != nil {
		return nil, &wire.Error{Code: wire.Illegal, Text: err.Error()}
	}
	for _, ms := range []int64{m.Clock.Main, m.Clock.Increment, m.Clock.PerMove} {
		if ms < 0 || ms > maxClock {
			return nil, &wire.Error{Code: wire.Illegal, Text: fmt.Sprintf("a clock cannot have %d ms", ms)}
		}
	}
	if !m.Clock.None() && m.Clock.Main+m.Clock.PerMove == 0 {
		return nil, &wire.Error{Code: wire.Illegal, Text: "a clock with an increment alone is at zero at once"}
	}
	if _, ok := g.(game.Hidden); ok && m.Rated {
		return nil, &wire.Error{Code: wire.Refused, Text: m.Rules + " is not rated: luck decides a game"}
	}
	if !slices.Contains([]string{"", "first", "second", "random"}, m.Seat) {
		return nil, &wire.Error{Code: wire.BadMessage, Text: fmt.Sprintf("there is no seat %q", m.Seat)}
	}
	if utf8.RuneCountInString(m.Tag) > maxTag {
		return nil, &wire.Error{Code: wire.BadMessage, Text: "the tag is too long"}
	}
	return &challenge{id: newID("c"), from: from, rules: rules, options: g.Options(), kind: kindOf(m.Rules, g), others: len(g.ToMove()) - 2, Challenge: *m}, nil
}

// findOpponent finds the account to which a challenge is made, if it names one.
func (l *lobby) findOpponent(ch *challenge) *wire.Error {
	if ch.To == "" {
		return nil
	}
	ch.to = l.accounts.byName[key(ch.To)]
	switch {
	case ch.to == nil:
		return &wire.Error{Code: wire.NotFound, Text: "nobody is called " + ch.To}
	case ch.to == ch.from:
		return &wire.Error{Code: wire.Refused, Text: "you cannot play against yourself"}
	case !ch.to.present():
		return &wire.Error{Code: wire.Refused, Text: ch.To + " is not connected"}
	}
	ch.To = ch.to.name
	return nil
}

// findOthers finds the bot for the seats beyond the second.
func (l *lobby) findOthers(ch *challenge) *wire.Error {
	if ch.others == 0 {
		return nil
	}
	if ch.fill = ch.to; ch.fill == nil || ch.fill.builtin == nil || ch.Fill != "" {
		ch.fill = l.accounts.byName[key(ch.Fill)]
	}
	if ch.fill == nil || ch.fill.builtin == nil || !slices.Contains(ch.fill.builtin.Rules, ch.Rules) {
		return &wire.Error{Code: wire.Refused, Text: fmt.Sprintf("the game has %d more seats: fill them with a bot of the server that plays it", ch.others)}
	}
	ch.Fill = ch.fill.name
	return nil
}

// errDuplicate returns the error of a tag that is in use.
func errDuplicate() *wire.Error {
	return &wire.Error{Code: wire.Duplicate, Text: "the tag is that of another game"}
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

// refuseStoredTag answers a challenge whose tag is that of a game in the database,
// and reports whether it did. It reads the database without the lock, before
// duplicateTag is called with it: a game leaves memory long after it was stored.
// The answer passes through the store, so that it comes after the game itself.
func (l *lobby) refuseStoredTag(c *conn, id uint64, m *wire.Challenge) bool {
	if m.Tag == "" {
		return false
	}
	e := errDuplicate()
	err := l.store.db.QueryRowContext(l.ctx, `SELECT id FROM games WHERE maker = ? AND tag = ?`, c.account.name, m.Tag).Scan(&e.Game)
	if err != nil {
		return false
	}
	l.count.refused(e.Code)
	l.locked(func(tx *transaction) { tx.send(c, id, e) })
	return true
}

// view shows an open challenge to an account that has its id.
func (l *lobby) view(tx *transaction, c *conn, id uint64, m *wire.ViewChallenge) *wire.Error {
	ch := l.challenges[m.Challenge]
	if ch == nil || !ch.concerns(c.account) {
		return errNoChallenge()
	}
	shown := ch.message()
	tx.send(c, id, &shown)
	return nil
}

func errNoChallenge() *wire.Error {
	return &wire.Error{Code: wire.NotFound, Text: "no such challenge"}
}

func (l *lobby) accept(tx *transaction, c *conn, id uint64, m *wire.Accept) *wire.Error {
	ch := l.challenges[m.Challenge]
	by := c.account
	switch {
	case ch == nil || !ch.concerns(by):
		return errNoChallenge()
	case ch.from == by:
		return &wire.Error{Code: wire.Refused, Text: "you cannot play against yourself"}
	case ch.Only != nil && !ch.allows(by):
		return &wire.Error{Code: wire.Refused, Text: "the challenge is not for you"}
	case ch.Private && !ch.from.present():
		return &wire.Error{Code: wire.Refused, Text: ch.from.name + " is not connected just now", Retry: 5000}
	}
	for _, a := range []*account{by, ch.from} {
		if e := l.games.limit(a); e != nil {
			return e
		}
	}
	if ch.fill != nil {
		if e := l.games.botLimit(by, ch.fill); e != nil {
			return e
		}
	}
	t, e := l.games.begin(tx, ch, by)
	if e != nil {
		return e
	}
	tx.send(c, id, &wire.Ack{Game: t.id, Challenge: ch.id})
	l.close(tx, ch, &wire.Closed{Why: "accepted", By: by.name, Game: t.id})
	t.announce(tx)
	return nil
}

// decline refuses a challenge to the account. Nobody can decline a challenge to
// all.
func (l *lobby) decline(tx *transaction, c *conn, id uint64, m *wire.Decline) *wire.Error {
	ch := l.challenges[m.Challenge]
	switch {
	case ch == nil || ch.to != c.account:
		return errNoChallenge()
	case !slices.Contains(wire.Reasons, m.Reason):
		return &wire.Error{Code: wire.BadMessage, Text: fmt.Sprintf("there is no reason %q", m.Reason)}
	}
	tx.send(c, id, &wire.Ack{Challenge: ch.id})
	l.close(tx, ch, &wire.Closed{Why: "declined", By: c.account.name, Reason: m.Reason, Text: cleanText(m.Text)})
	return nil
}

func (l *lobby) cancel(tx *transaction, c *conn, id uint64, m *wire.Cancel) *wire.Error {
	ch := l.challenges[m.Challenge]
	if ch == nil || ch.from != c.account {
		return errNoChallenge()
	}
	tx.send(c, id, &wire.Ack{Challenge: ch.id})
	l.close(tx, ch, &wire.Closed{Why: "cancelled"})
	return nil
}

// close ends a challenge and tells both sides.
func (l *lobby) close(tx *transaction, ch *challenge, m *wire.Closed) {
	delete(l.challenges, ch.id)
	ch.from.challenges--
	m.Challenge, m.Tag = ch.id, ch.Tag
	tx.sendAll(ch.from, m)
	if ch.to != nil {
		tx.sendAll(ch.to, m)
	}
	l.changed()
}

// expire closes the challenges of an account that has not come back. Private ones
// stay for longer: a phone may drop the connection while its owner sends the link.
func (l *lobby) expire(a *account, private bool) {
	l.locked(func(tx *transaction) {
		if len(a.conns) > 0 {
			return
		}
		for _, ch := range l.challenges {
			if ch.from == a && (private || !ch.Private) {
				l.close(tx, ch, &wire.Closed{Why: "gone"})
			}
		}
		if a.challenges > 0 {
			a.expiry = time.AfterFunc(l.limits.PrivateLife, func() { l.expire(a, true) })
		}
	})
}

// allows reports whether an account is one of those that the challenge is for.
func (c *challenge) allows(a *account) bool {
	o, rating := c.Only, a.player(c.kind).Rating
	return !(o.Bots && !a.bot) && !(o.Humans && a.bot) && rating >= o.MinRating && (o.MaxRating == 0 || rating <= o.MaxRating)
}

// maxListed is how many of each kind a lobby lists.
const maxListed = 200

// state returns the lobby as it is.
func (l *lobby) state() *wire.Lobby {
	m := &wire.Lobby{
		Challenges: []wire.Challenged{}, Games: []wire.Brief{}, Players: []wire.Player{},
		Connected: len(l.conns), Running: l.games.running(),
	}
	var challenges []*challenge
	for _, ch := range l.challenges {
		if ch.to == nil && !ch.Private {
			challenges = append(challenges, ch)
		}
	}
	for _, ch := range smallest(challenges, func(a, b *challenge) int { return strings.Compare(a.id, b.id) }) {
		m.Challenges = append(m.Challenges, ch.message())
	}
	var tables []*table
	for _, t := range l.games.tables {
		if t.result == nil {
			tables = append(tables, t)
		}
	}
	for _, t := range smallest(tables, func(a, b *table) int { return cmp.Compare(b.row, a.row) }) {
		m.Games = append(m.Games, t.brief())
	}
	present := map[*account]bool{}
	for c := range l.conns {
		present[c.account] = true
	}
	for _, a := range smallest(slices.Collect(maps.Keys(present)), func(a, b *account) int { return strings.Compare(a.key, b.key) }) {
		m.Players = append(m.Players, a.player(a.mainKind()))
	}
	return m
}

// smallest returns the first maxListed of a list in an order. Most of a long list
// is compared only once, because the caller holds the lock.
func smallest[T any](all []T, compare func(a, b T) int) []T {
	var first []T
	for _, v := range all {
		if len(first) == maxListed {
			if compare(v, first[maxListed-1]) >= 0 {
				continue
			}
			first = first[:maxListed-1]
		}
		i, _ := slices.BinarySearchFunc(first, v, compare)
		first = slices.Insert(first, i, v)
	}
	return first
}

// updateInterval is the shortest time between two updates of the lobby.
const updateInterval = 500 * time.Millisecond

// changed schedules an update of the lobby.
func (l *lobby) changed() {
	if l.scheduled || l.stopping {
		return
	}
	l.scheduled = true
	time.AfterFunc(updateInterval, func() {
		l.locked(func(tx *transaction) {
			l.scheduled = false
			var all *frame
			for c := range l.conns {
				if c.lobby {
					if all == nil {
						all = encode(0, l.state())
					}
					tx.enqueue(c, all)
				}
			}
		})
	})
}

// chat sends a line to everyone in the lobby.
func (l *lobby) chat(tx *transaction, line wire.Line) {
	frame := encode(0, &wire.Said{Line: line})
	for c := range l.conns {
		if c.lobby {
			tx.enqueue(c, frame)
		}
	}
}

// cleanText makes one line of printable characters of a text that a person wrote,
// and cuts it at maxText.
func cleanText(text string) string {
	var b strings.Builder
	n := 0
	for _, r := range text {
		if n == maxText {
			break
		}
		if r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			r = ' ' // control characters, and those that turn the direction of text
		}
		b.WriteRune(r)
		n++
	}
	return strings.TrimSpace(b.String())
}

// maxText is how many characters a text of a person may have.
const maxText = 300
