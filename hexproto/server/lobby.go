package server

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	mathrand "math/rand/v2"
	"slices"
	"strings"
	"time"

	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
)

// challenge is an open one. It is guarded by the server's lock.
type challenge struct {
	id      string
	from    *account
	to      *account // nil for all
	rules   game.Rules
	options json.RawMessage // all of them
	wire.Challenge
}

func (c *challenge) message() wire.Challenged {
	return wire.Challenged{
		Challenge: c.id, From: c.from.player(), To: c.To, Rules: c.Rules, Options: c.options,
		Clock: c.Clock, Rated: c.Rated, Seat: c.Seat, Only: c.Only, Tag: c.Tag,
	}
}

// newID returns an id that nobody had before.
func newID(prefix string) string { return prefix + strings.ToLower(rand.Text()[:12]) }

// The longest times that clocks can have: a month for a game.
const maxClock = int64(31 * 24 * time.Hour / time.Millisecond)

const maxTag = 64

// challenge opens a challenge, or starts the game where a bot of the server is
// challenged.
func (s *Server) challenge(st *step, c *conn, id uint64, m *wire.Challenge) *wire.Error {
	from := c.account
	rules := s.rules[m.Rules]
	if rules == nil {
		return &wire.Error{Code: wire.NotFound, Text: fmt.Sprintf("no rules %q", m.Rules)}
	}
	game, err := rules.New(m.Options)
	if err != nil {
		return &wire.Error{Code: wire.Illegal, Text: err.Error()}
	}
	for _, ms := range []int64{m.Clock.Main, m.Clock.Increment, m.Clock.PerMove} {
		if ms < 0 || ms > maxClock {
			return &wire.Error{Code: wire.Illegal, Text: fmt.Sprintf("no clock has %d ms", ms)}
		}
	}
	if !m.Clock.None() && m.Clock.Main+m.Clock.PerMove == 0 {
		return &wire.Error{Code: wire.Illegal, Text: "a clock with an increment alone is at zero at once"}
	}
	if !slices.Contains([]string{"", "first", "second", "random"}, m.Seat) {
		return &wire.Error{Code: wire.BadMessage, Text: fmt.Sprintf("no seat %q", m.Seat)}
	}
	if len(m.Tag) > maxTag {
		return &wire.Error{Code: wire.BadMessage, Text: "the tag is too long"}
	}
	if e := s.tagged(from, m.Tag); e != nil {
		return e
	}
	ch := &challenge{id: newID("c"), from: from, rules: rules, options: game.Options(), Challenge: *m}
	if m.To != "" {
		ch.to = s.accounts[key(m.To)]
		switch {
		case ch.to == nil:
			return &wire.Error{Code: wire.NotFound, Text: "nobody is called " + m.To}
		case ch.to == from:
			return &wire.Error{Code: wire.Refused, Text: "nobody plays against themselves"}
		case !ch.to.present():
			return &wire.Error{Code: wire.Refused, Text: m.To + " is not there"}
		}
		ch.To = ch.to.name
	}
	if e := s.room(from); e != nil {
		return e
	}
	if ch.to != nil && ch.to.builtin != nil {
		if !slices.Contains(ch.to.builtin.Rules, m.Rules) {
			return &wire.Error{Code: wire.Refused, Text: ch.To + " does not play " + m.Rules}
		}
		if e := s.room(ch.to); e != nil {
			return &wire.Error{Code: wire.Refused, Text: ch.To + " plays too many games just now", Retry: 5000}
		}
		t, err := s.begin(st, ch, ch.to, game)
		if err != nil {
			return err
		}
		s.tell(st, c, id, &wire.Ack{Game: t.id, Challenge: ch.id})
		s.announce(st, t)
		return nil
	}
	if from.challenges >= s.limits.Challenges {
		return &wire.Error{Code: wire.TooMany, Text: "too many open challenges"}
	}
	from.challenges++
	s.challenges[ch.id] = ch
	s.tell(st, c, id, &wire.Ack{Challenge: ch.id})
	if ch.to != nil {
		m := ch.message()
		s.tellAll(st, ch.to, &m)
	}
	s.lobbyChanged()
	return nil
}

// tagged says whether an account's tag has a game at hand or a challenge.
func (s *Server) tagged(from *account, tag string) *wire.Error {
	if tag == "" {
		return nil
	}
	e := &wire.Error{Code: wire.Duplicate, Text: "the tag is that of another game"}
	if e.Game = s.tags[tagKey{from, tag}]; e.Game != "" {
		return e
	}
	for _, ch := range s.challenges {
		if ch.from == from && ch.Tag == tag {
			e.Text = "the tag is that of challenge " + ch.id
			return e
		}
	}
	return nil
}

// taggedBefore answers a challenge whose tag is that of a game in the database.
// It asks without the lock, before tagged is called with it: games are not
// forgotten there before they are long in the database. The answer waits for its
// turn, so that it does not come before the game itself.
func (s *Server) taggedBefore(c *conn, id uint64, m *wire.Challenge) bool {
	if m.Tag == "" {
		return false
	}
	e := &wire.Error{Code: wire.Duplicate, Text: "the tag is that of another game"}
	err := s.store.db.QueryRowContext(s.ctx, `SELECT id FROM games WHERE maker = ? AND tag = ?`, c.account.name, m.Tag).Scan(&e.Game)
	if err != nil {
		return false
	}
	s.count.refused(e.Code)
	s.locked(func(st *step) { s.tell(st, c, id, e) })
	return true
}

// room says why an account can have no more games.
func (s *Server) room(a *account) *wire.Error {
	if len(a.tables) >= s.limits.Games {
		return &wire.Error{Code: wire.TooMany, Text: a.name + " has too many games"}
	}
	return nil
}

func (s *Server) accept(st *step, c *conn, id uint64, m *wire.Accept) *wire.Error {
	ch := s.challenges[m.Challenge]
	by := c.account
	switch {
	case ch == nil || ch.to != nil && ch.to != by && ch.from != by:
		return &wire.Error{Code: wire.NotFound, Text: "no such challenge"}
	case ch.from == by:
		return &wire.Error{Code: wire.Refused, Text: "nobody plays against themselves"}
	case ch.Only != nil && !allows(ch.Only, by):
		return &wire.Error{Code: wire.Refused, Text: "the challenge is not for you"}
	}
	for _, a := range []*account{by, ch.from} {
		if e := s.room(a); e != nil {
			return e
		}
	}
	game, err := ch.rules.New(ch.options)
	if err != nil {
		return &wire.Error{Code: wire.Internal, Text: err.Error()}
	}
	t, e := s.begin(st, ch, by, game)
	if e != nil {
		return e
	}
	s.tell(st, c, id, &wire.Ack{Game: t.id, Challenge: ch.id})
	s.closeChallenge(st, ch, &wire.Closed{Why: "accepted", By: by.name, Game: t.id})
	s.announce(st, t)
	return nil
}

// decline refuses a challenge to the account; challenges to all are not
// anybody's to refuse.
func (s *Server) decline(st *step, c *conn, id uint64, m *wire.Decline) *wire.Error {
	ch := s.challenges[m.Challenge]
	switch {
	case ch == nil || ch.to != c.account:
		return &wire.Error{Code: wire.NotFound, Text: "no such challenge"}
	case !slices.Contains(wire.Reasons, m.Reason):
		return &wire.Error{Code: wire.BadMessage, Text: fmt.Sprintf("no reason %q", m.Reason)}
	}
	s.tell(st, c, id, &wire.Ack{Challenge: ch.id})
	s.closeChallenge(st, ch, &wire.Closed{Why: "declined", By: c.account.name, Reason: m.Reason, Text: cleanText(m.Text)})
	return nil
}

func (s *Server) cancel(st *step, c *conn, id uint64, m *wire.Cancel) *wire.Error {
	ch := s.challenges[m.Challenge]
	if ch == nil || ch.from != c.account {
		return &wire.Error{Code: wire.NotFound, Text: "no such challenge"}
	}
	s.tell(st, c, id, &wire.Ack{Challenge: ch.id})
	s.closeChallenge(st, ch, &wire.Closed{Why: "cancelled"})
	return nil
}

// closeChallenge ends a challenge and tells both sides.
func (s *Server) closeChallenge(st *step, ch *challenge, m *wire.Closed) {
	delete(s.challenges, ch.id)
	ch.from.challenges--
	m.Challenge, m.Tag = ch.id, ch.Tag
	s.tellAll(st, ch.from, m)
	if ch.to != nil {
		s.tellAll(st, ch.to, m)
	}
	s.lobbyChanged()
}

// begin starts the game of a challenge. Nobody is told yet.
func (s *Server) begin(st *step, ch *challenge, by *account, g game.Game) (*table, *wire.Error) {
	t := &table{
		id: newID("g"), tag: ch.Tag, maker: ch.from, rules: ch.rules, name: ch.Rules, game: g, seats: [2]*account{ch.from, by},
		rated: ch.Rated, started: now(), clocks: newClocks(ch.Clock), watchers: map[*conn]bool{},
	}
	if ch.Seat == "second" || ch.Seat != "first" && mathrand.IntN(2) == 1 {
		t.seats[0], t.seats[1] = by, ch.from
	}
	s.lastRow++
	t.row = s.lastRow
	rating := [2]int{t.seats[0].player().Rating, t.seats[1].player().Rating}
	st.write(addGame, t.row, t.id, ch.from.name, t.tag, t.name, string(g.Options()), t.seats[0].name, t.seats[1].name,
		t.clocks.Main, t.clocks.Increment, t.clocks.PerMove, t.rated, t.started, rating[0], rating[1])
	if t.tag != "" {
		s.tags[tagKey{ch.from, t.tag}] = t.id
	}
	s.seatAll(t)
	s.startClocks(t)
	s.drive(st, t)
	s.lobbyChanged()
	s.count.games.Inc()
	return t, nil
}

// announce tells the players of a game that began.
func (s *Server) announce(st *step, t *table) {
	for _, a := range t.seats {
		for c := range a.conns {
			s.tell(st, c, 0, t.state(a, c.views))
		}
	}
}

// allows says whether an account may accept an open challenge.
func allows(o *wire.Only, a *account) bool {
	rating := int(math.Round(a.rating))
	return !(o.Bots && !a.bot) && !(o.Humans && a.bot) && rating >= o.MinRating && (o.MaxRating == 0 || rating <= o.MaxRating)
}

// maxListed is how many of each kind a lobby lists.
const maxListed = 200

// lobbyState is the lobby as it is.
func (s *Server) lobbyState() *wire.Lobby {
	l := &wire.Lobby{
		Challenges: []wire.Challenged{}, Games: []wire.Brief{}, Players: []wire.Player{},
		Connected: len(s.conns), Running: s.running(),
	}
	var challenges []*challenge
	for _, ch := range s.challenges {
		if ch.to == nil {
			challenges = append(challenges, ch)
		}
	}
	for _, ch := range listed(challenges, func(a, b *challenge) int { return strings.Compare(a.id, b.id) }) {
		l.Challenges = append(l.Challenges, ch.message())
	}
	var tables []*table
	for _, t := range s.tables {
		if t.result == nil {
			tables = append(tables, t)
		}
	}
	for _, t := range listed(tables, func(a, b *table) int { return cmp.Compare(b.row, a.row) }) {
		l.Games = append(l.Games, t.brief())
	}
	present := map[*account]bool{}
	for c := range s.conns {
		present[c.account] = true
	}
	accounts := slices.Collect(maps.Keys(present))
	for _, a := range listed(accounts, func(a, b *account) int { return strings.Compare(a.key, b.key) }) {
		l.Players = append(l.Players, a.player())
	}
	return l
}

// listed returns the first of a list in an order, as many as a lobby lists. Most
// of a long list is compared once: this is done under the lock.
func listed[T any](all []T, compare func(a, b T) int) []T {
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

// lobbyEvery is how often the lobby is told at most.
const lobbyEvery = 500 * time.Millisecond

// lobbyChanged tells the lobby to who wants it, soon.
func (s *Server) lobbyChanged() {
	if s.lobbySoon || s.stopping {
		return
	}
	s.lobbySoon = true
	time.AfterFunc(lobbyEvery, func() {
		s.locked(func(st *step) {
			s.lobbySoon = false
			var frame []byte
			for c := range s.conns {
				if c.lobby {
					if frame == nil {
						frame = encode(0, s.lobbyState())
					}
					st.out = append(st.out, delivery{c, frame})
				}
			}
		})
	})
}

// cleanText is a text of a person as it is passed on: one line of printable
// characters, and not too many.
func cleanText(text string) string {
	var b strings.Builder
	n := 0
	for _, r := range text {
		if n == maxText {
			break
		}
		if r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			r = ' ' // controls, and what turns the direction of other texts around
		}
		b.WriteRune(r)
		n++
	}
	return strings.TrimSpace(b.String())
}

const maxText = 300
