package server

import (
	"bytes"
	"net/http"
	"slices"
	"time"
	"unicode/utf8"

	"gamebots/hexproto/game"
	"gamebots/hexproto/server/internal/limit"
	"gamebots/hexproto/wire"
	"gamebots/internal/parallel"
)

// challenge is an open challenge.
type challenge struct {
	id      string
	number  int64 // counts those that were opened
	from    *account
	to      *account   // nil for all
	joined  []*account // who have accepted, while it waits for more players
	left    int        // how many seats players leave
	fill    []*account // bots of the server for them
	rules   game.Rules
	options options
	kind    string
	memory  int           // bytes that the game will take
	payers  []limit.Payer // who pay for what is stored of the game
	wire.Challenge
}

// message describes the challenge with all of its options to an account, or nil for anybody. The tag is left
// out for who ignores the challenger. For lists see row.
func (c *challenge) message(to *account) *wire.Challenged {
	m := &wire.Challenged{
		Challenge: c.id, From: c.from.player(c.kind), To: c.To, Rules: c.Rules, Options: c.options.whole, Kind: c.kind,
		Clock: c.Clock, Rated: c.Rated, Seat: c.Seat, Only: c.Only, Private: c.Private, Players: c.Players,
		Tag: c.tagFor(to),
	}
	for _, a := range c.fill {
		m.Bots = append(m.Bots, a.name)
	}
	if all := slices.Compact(slices.Clone(m.Bots)); len(all) == 1 {
		m.Fill, m.Bots = all[0], nil
	}
	for _, a := range c.joined {
		m.Joined = append(m.Joined, a.player(c.kind))
	}
	return m
}

// tagFor returns the tag, or "" for an account that ignores the challenger.
func (c *challenge) tagFor(a *account) string {
	if a.ignores(c.from) {
		return ""
	}
	return c.Tag
}

// row describes the challenge as a list shows it.
func (c *challenge) row() wire.Challenged {
	m := *c.message(nil)
	m.Options, m.Cut = c.options.short, c.options.cut
	return m
}

// notice describes the challenge to an account that has not asked for it. Very long options are cut as
// in a list.
func (c *challenge) notice(to *account) *wire.Challenged {
	m := c.message(to)
	if len(c.options.whole) > maxNotice {
		m.Options, m.Cut = c.options.short, c.options.cut
	}
	return m
}

// maxNotice is how many bytes the options of a challenge have that its addressee is sent whole.
const maxNotice = 2 << 10

// concerns reports whether an account may see the challenge.
func (c *challenge) concerns(a *account) bool { return c.to == nil || c.to == a || c.from == a }

// hasJoined reports whether an account has accepted the challenge, which waits for others.
func (c *challenge) hasJoined(a *account) bool { return slices.Contains(c.joined, a) }

// bot returns a bot of the server that plays the game, nil if none does.
func (c *challenge) bot() *account {
	if c.to != nil && c.to.builtin != nil {
		return c.to
	}
	for _, a := range c.fill {
		return a
	}
	return nil
}

// players returns the challenger and those who have accepted.
func (c *challenge) players() []*account { return append([]*account{c.from}, c.joined...) }

// allows reports whether an account is one of those that the challenge is for.
func (c *challenge) allows(a *account) bool {
	o, rating := c.Only, a.player(c.kind).Rating
	return !(o.Bots && !a.bot) && !(o.Humans && a.bot) && rating >= o.MinRating &&
		(o.MaxRating == 0 || rating <= o.MaxRating)
}

const maxTag = 64

// newChallenge checks a challenge by itself, of which the game was started.
func newChallenge(from *account, m *wire.Challenge, s started) (*challenge, *wire.Error) {
	g := s.game
	for _, ms := range []int64{m.Clock.Main, m.Clock.Increment, m.Clock.PerMove} {
		if ms < 0 || ms > maxClock {
			return nil, refusal(wire.Illegal, "", "a clock cannot have %d ms", ms)
		}
	}
	if !m.Clock.None() && m.Clock.Main+m.Clock.PerMove == 0 {
		return nil, refusal(wire.Illegal, "", "a clock with an increment alone is at zero at once")
	}
	if !slices.Contains([]string{"", "first", "second", "random"}, m.Seat) {
		return nil, refusal(wire.BadMessage, "", "there is no seat %q", m.Seat)
	}
	if utf8.RuneCountInString(m.Tag) > maxTag || visible(m.Tag) != m.Tag {
		return nil, refusal(wire.BadMessage, "", "the tag is too long, or has characters that cannot be seen")
	}
	seats := len(g.ToMove())
	switch {
	case m.Players != 0 && (m.Players < 2 || m.Players > seats):
		return nil, refusal(wire.Illegal, "", "%s is for 2 to %d players", m.Rules, seats)
	case m.Players > 2 && m.To != "":
		return nil, refusal(wire.Refused, "", "a challenge to one player is for two: leave out whom it is to")
	}
	ch := &challenge{
		id: newID("c"), from: from, rules: s.rules, options: optionsOf(g.Options()), kind: kindOf(m.Rules, g),
		memory: bytesOf(g), left: seats - max(2, m.Players), Challenge: *m,
	}
	if ch.Seat == "random" {
		ch.Seat = ""
	}
	return ch, nil
}

// findOpponent finds the account to which a challenge is made, if it names one.
func (l *lobby) findOpponent(ch *challenge) *wire.Error {
	if ch.To == "" {
		return nil
	}
	ch.to = l.accounts.byName[key(ch.To)]
	switch {
	case ch.to == nil:
		return refusal(wire.NotFound, "", "nobody is called %s", ch.To)
	case ch.to == ch.from:
		return refusal(wire.Refused, "", "you cannot play against yourself")
	case ch.to.blocks(ch.from):
		return errBlocked(ch.to)
	case !ch.to.present() && !ch.Clock.Correspondence():
		return refusal(wire.Refused, "", "%s is not connected", ch.To)
	}
	ch.To = ch.to.name
	return nil
}

// findOthers finds the bots for the seats that players leave.
func (l *lobby) findOthers(ch *challenge) *wire.Error {
	if ch.left == 0 {
		return nil
	}
	names := ch.Fill
	if bot := ch.bot(); bot != nil && len(names) == 0 {
		names = wire.Names{bot.name}
	}
	if len(names) == 1 {
		names = slices.Repeat(names, ch.left)
	}
	if len(names) != ch.left && len(names) > 0 {
		return refusal(wire.Refused, "", "the game has %d more seats, and fill names %d bots: name %d, or one for all",
			ch.left, len(names), ch.left)
	}
	for _, name := range names {
		bot := l.accounts.byName[key(name)]
		if bot == nil || !bot.plays(ch.Rules) {
			return refusal(wire.Refused, "", "%q is no bot of the server that plays %s", name, ch.Rules)
		}
		ch.fill = append(ch.fill, bot)
	}
	if len(names) == 0 {
		return refusal(wire.Refused, "",
			"the game has %d more seats: fill them with bots of the server that play it", ch.left)
	}
	return nil
}

// crossed returns the first open challenge that a new one accepts, because both are between the same
// players and on the same terms: each of two who want to play again may challenge the other. It
// returns nil if there is none.
func (l *lobby) crossed(ch *challenge) (first *challenge) {
	if ch.to == nil {
		return nil
	}
	for _, o := range l.challenges {
		if o.from == ch.to && o.to == ch.from && o.sameTerms(ch) && (first == nil || o.number < first.number) {
			first = o
		}
	}
	return first
}

// sameTerms reports whether another player's challenge means the same game: both want a random
// seat, or each the other one. The game has one tag.
func (c *challenge) sameTerms(by *challenge) bool {
	opposite := map[string]string{"first": "second", "second": "first"}
	return c.Rules == by.Rules && bytes.Equal(c.options.whole, by.options.whole) && c.Clock == by.Clock &&
		c.Rated == by.Rated && c.Seat == opposite[by.Seat] && slices.Equal(c.fill, by.fill) &&
		(by.Tag == "" || by.Tag == c.Tag) && (c.Only == nil || c.allows(by.from))
}

// accept begins the game of a challenge, which was started for it, unless it waits for more players.
func (l *lobby) accept(tx *transaction, c *conn, id uint64, m *wire.Accept, g started) *wire.Error {
	ch := l.challenges[m.Challenge]
	by := c.account
	switch {
	case ch == nil || !ch.concerns(by):
		return errNoChallenge()
	case ch.from == by:
		return refusal(wire.Refused, "", "you cannot play against yourself")
	case ch.hasJoined(by):
		return refusal(wire.Refused, "", "you have accepted already")
	case ch.Only != nil && !ch.allows(by):
		return refusal(wire.Refused, "", "the challenge is not for you")
	case ch.Private && !ch.from.present() && !ch.Clock.Correspondence():
		return later(5*time.Second, refusal(wire.Refused, "", "%s is not connected just now", ch.from.name))
	}
	players := append(ch.players(), by)
	for _, a := range players {
		if a.blocks(by) {
			return errBlocked(a)
		}
		if e := l.games.limit(a, ch); e != nil {
			return e
		}
	}
	if ch.Rated {
		if e := l.games.ratedLimit(ch.from, by); e != nil {
			return e
		}
	}
	if len(players) < ch.Players {
		return l.join(tx, c, id, ch)
	}
	tx.payers = ch.payers
	t := l.games.begin(tx, ch, players, g)
	if ch.to != nil {
		ch.from.challenged.AllowN(clock(), -1) // gives back what the challenge took
	}
	tx.send(c, id, &wire.Ack{Game: t.id, Challenge: ch.id})
	l.close(tx, ch, &wire.Closed{Why: "accepted", By: by.name, Game: t.id})
	t.sendState(tx)
	return nil
}

// join adds the account of a connection to a challenge for more than two players.
func (l *lobby) join(tx *transaction, c *conn, id uint64, ch *challenge) *wire.Error {
	by := c.account
	if by.challenges >= l.limits.Challenges {
		return errChallenges()
	}
	if wait := take(by.challenged, clock(), 1); wait > 0 { // whoever has joined can leave, and join again
		return later(wait, refusal(wire.TooFast, "", "too many challenges are accepted"))
	}
	by.challenges++
	ch.joined = append(ch.joined, by)
	tx.send(c, id, &wire.Ack{Challenge: ch.id})
	l.update(tx, ch)
	return nil
}

// leave takes an account out of a challenge that it has accepted.
func (l *lobby) leave(tx *transaction, ch *challenge, a *account) {
	a.challenges--
	ch.joined = slices.DeleteFunc(ch.joined, func(joined *account) bool { return joined == a })
	l.update(tx, ch)
}

// update tells who has accepted a challenge to its players, and to the lobby.
func (l *lobby) update(tx *transaction, ch *challenge) {
	for _, a := range ch.players() {
		tx.sendAll(a, ch.notice(a))
	}
	l.announce(tx, ch)
}

// announce tells a player of a challenge, or the lobby, which lists it soon.
func (l *lobby) announce(tx *transaction, ch *challenge) {
	switch {
	case ch.to != nil:
		tx.sendAll(ch.to, ch.notice(ch.to))
	case !ch.Private && len(l.listing.readers) > 0:
		row := ch.row()
		tx.shown += len(encode(0, &row).text) * len(l.listing.readers)
	}
	l.changed()
}

// cancel ends a challenge of the account, or takes the account out of one that it has
// accepted.
func (l *lobby) cancel(tx *transaction, c *conn, id uint64, m *wire.Cancel) *wire.Error {
	ch := l.challenges[m.Challenge]
	if ch == nil || ch.from != c.account && !ch.hasJoined(c.account) {
		return errNoChallenge()
	}
	tx.send(c, id, &wire.Ack{Challenge: ch.id})
	if ch.from != c.account {
		l.leave(tx, ch, c.account)
		return nil
	}
	l.close(tx, ch, &wire.Closed{Why: "cancelled"})
	return nil
}

// invitation shows a private challenge to everybody to whoever has its id, with an account or without.
func (s *Server) invitation(w http.ResponseWriter, r *http.Request) {
	m := parallel.Get(&s.state, func(st *state) *wire.Invitation {
		ch := st.lobby.challenges[r.PathValue("id")]
		if ch == nil || !ch.Private || ch.to != nil {
			return nil
		}
		i := slices.IndexFunc(s.about, func(rules wire.Rules) bool { return rules.Name == ch.Rules })
		m := &s.about[i]
		return &wire.Invitation{Title: m.Title, Hidden: m.Hidden, Positions: m.Positions, Challenge: ch.row()}
	})
	if m == nil {
		http.NotFound(w, r)
		return
	}
	writeJSON(w, m)
}
