package server

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"gamebots/hexproto/wire"
)

// listing is what the lobby has told the connections in it. They are told of changes together, so
// that each list and each change is encoded once for all.
type listing struct {
	wire.Lobby
	readers map[*conn]*lobbyReader
	whole   *frame    // the lobby, encoded; nil until it is asked for
	made    time.Time // when it was listed
	stale   bool      // something may have changed since
	timer   *time.Timer
	due     time.Time // when the timer updates it
}

// lobbyReader is how a connection follows the lobby.
type lobbyReader struct {
	changes bool      // it is told of changes as such, and not by whole lobbies
	behind  bool      // it is to be sent a whole lobby
	sent    time.Time // when it was sent one
}

const (
	// updateInterval is the shortest time between two updates of the lobby, quietInterval that
	// between updates in which nothing but the progress of games may have changed, and
	// wholeInterval that between whole lobbies for a connection that gets no changes.
	updateInterval = 500 * time.Millisecond
	quietInterval  = 5 * time.Second
	wholeInterval  = 2 * time.Second
	// maxBehind is how many bytes a connection may not have read while it is told of changes.
	// Later it is sent the whole lobby instead.
	maxBehind = 64 << 10

	maxListed = 100 // entries of each list
	maxShare  = 8   // entries of an account in each list
)

// changed has the lobby updated, soon.
func (l *lobby) changed() {
	l.listing.stale = true
	if len(l.listing.readers) > 0 {
		l.updateAfter(updateInterval - time.Since(l.listing.made))
	}
}

// updateAfter has the lobby updated after a time, or earlier if that is planned.
func (l *lobby) updateAfter(wait time.Duration) {
	ls, due := &l.listing, time.Now().Add(wait)
	if !ls.due.IsZero() && ls.due.Before(due) {
		return
	}
	if ls.timer != nil {
		ls.timer.Stop()
	}
	ls.due, ls.timer = due, time.AfterFunc(wait, func() {
		l.locked(func(tx *transaction) {
			if ls.due = (time.Time{}); len(ls.readers) > 0 && !tx.stopping {
				l.refresh(tx)
			}
		})
	})
}

// refresh lists the lobby again, and tells its readers what has changed.
func (l *lobby) refresh(tx *transaction) {
	ls, now := &l.listing, time.Now()
	fresh := l.list()
	changes := changesOf(&ls.Lobby, fresh)
	ls.Lobby, ls.made, ls.stale = *fresh, now, false
	var part *frame
	if changes != nil {
		part, ls.whole = encode(0, changes), nil
	}
	next := quietInterval
	for c, r := range ls.readers {
		slow := c.size.Load() > maxBehind
		r.behind = r.behind || part != nil && (slow || !r.changes)
		switch {
		case r.behind && !slow && (r.changes || now.Sub(r.sent) >= wholeInterval):
			r.behind, r.sent = false, now
			tx.enqueue(c, l.whole())
		case r.behind:
			next = updateInterval
		case part != nil:
			tx.enqueue(c, part)
		}
	}
	l.updateAfter(next)
}

// enter shows the lobby to a connection, and its changes from then on.
func (l *lobby) enter(tx *transaction, c *conn, id uint64, changes bool, at time.Time) *wire.Error {
	if wait := take(c.account.asked, at, 1); wait > 0 {
		return later(wait, refusal(wire.TooFast, "", "the lobby is asked for too often: it tells of its changes"))
	}
	ls := &l.listing
	if ls.stale && time.Since(ls.made) >= updateInterval {
		l.refresh(tx)
	}
	ls.readers[c] = &lobbyReader{changes: changes, sent: time.Now()}
	tx.enqueue(c, l.whole().answer(id, wire.Lobby{}))
	if ls.stale {
		l.changed()
	} else {
		l.updateAfter(quietInterval)
	}
	return nil
}

// whole returns the lobby that was listed.
func (l *lobby) whole() *frame {
	if l.listing.whole == nil {
		l.listing.whole = encode(0, &l.listing.Lobby)
	}
	return l.listing.whole
}

// answer returns a frame of a type of message that has no id as the answer to a request.
func (f *frame) answer(id uint64, m wire.Message) *frame {
	if id == 0 {
		return f
	}
	head := `{"type":` + strconv.Quote(wire.Type(m))
	return &frame{text: slices.Concat([]byte(head+`,"id":`+strconv.FormatUint(id, 10)), f.text[len(head):])}
}

// list returns the lobby as it is.
func (l *lobby) list() *wire.Lobby {
	m := &wire.Lobby{
		Challenges: []wire.Challenged{}, Games: []wire.Brief{}, Players: []wire.Player{},
		Connected: len(l.conns),
	}
	var challenges []*challenge
	for _, ch := range l.challenges {
		if ch.to == nil && !ch.Private {
			challenges = append(challenges, ch)
		}
	}
	slices.SortFunc(challenges, func(a, b *challenge) int { return cmp.Compare(b.number, a.number) })
	for _, ch := range pick(challenges, len(challenges),
		func(ch *challenge) []*account { return []*account{ch.from} }) {
		m.Challenges = append(m.Challenges, ch.row())
	}
	var active, idle []*table
	for _, t := range l.games.tables {
		switch {
		case t.result != nil:
		case t.idle():
			idle = append(idle, t)
		default:
			active = append(active, t)
		}
	}
	for _, tables := range [][]*table{active, idle} {
		slices.SortFunc(tables, func(a, b *table) int { return cmp.Compare(b.row, a.row) })
	}
	m.Running = len(active) + len(idle)
	for _, t := range pick(slices.Concat(active, idle), len(active), func(t *table) []*account { return t.seats }) {
		m.Games = append(m.Games, t.brief())
	}
	present := make(map[*account]bool, len(l.conns))
	for c := range l.conns {
		present[c.account] = true
	}
	for _, a := range smallest(slices.Collect(maps.Keys(present)),
		func(a, b *account) int { return strings.Compare(a.key, b.key) }) {
		m.Players = append(m.Players, a.player(a.mainKind()))
	}
	return m
}

// pick returns those of all that a list has, in their order. An account has maxShare of them at
// most, the server's bots excepted. If those are too many, the ones from a place on are left out
// first, and of the others the second one of each account before the first of any.
func pick[T any](all []T, from int, of func(T) []*account) []T {
	type entry struct{ place, rank int }
	counts := map[*account]int{}
	var listed []entry
	for place, v := range all {
		rank := 0
		for _, a := range of(v) {
			rank = max(rank, counts[a])
		}
		if rank == maxShare {
			continue
		}
		for _, a := range of(v) {
			if a.builtin == nil {
				counts[a]++
			}
		}
		if place >= from {
			rank += maxShare
		}
		listed = append(listed, entry{place, rank})
	}
	if len(listed) > maxListed {
		slices.SortStableFunc(listed, func(a, b entry) int { return cmp.Compare(a.rank, b.rank) })
		listed = listed[:maxListed]
		slices.SortFunc(listed, func(a, b entry) int { return cmp.Compare(a.place, b.place) })
	}
	picked := make([]T, len(listed))
	for i, e := range listed {
		picked[i] = all[e.place]
	}
	return picked
}

// smallest returns the first maxListed of a list in an order. Most of a long list
// is compared only once, because everything waits meanwhile.
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

// changesOf returns what has changed from a lobby to another one, nil if nothing has.
func changesOf(old, fresh *wire.Lobby) *wire.LobbyChanged {
	m := &wire.LobbyChanged{Connected: fresh.Connected, Running: fresh.Running}
	var ended []string
	m.Challenges, m.Gone = compare(old.Challenges, fresh.Challenges,
		func(c *wire.Challenged) string { return c.Challenge },
		func(a, b *wire.Challenged) bool { return a.From == b.From && slices.Equal(a.Joined, b.Joined) })
	turns := map[string]int{}
	for _, g := range old.Games {
		turns[g.Game] = g.Turn
	}
	m.Games, ended = compare(old.Games, fresh.Games,
		func(g *wire.Brief) string { return g.Game },
		func(a, b *wire.Brief) bool { return a.Idle == b.Idle && slices.Equal(a.Seats, b.Seats) })
	for _, g := range fresh.Games {
		if turn, ok := turns[g.Game]; ok && turn != g.Turn {
			m.Progress = append(m.Progress, wire.Progress{Game: g.Game, Turn: g.Turn, Hand: g.Hand})
		}
	}
	m.Gone = append(m.Gone, ended...)
	m.Players, m.Left = compare(old.Players, fresh.Players,
		func(p *wire.Player) string { return p.Name },
		func(a, b *wire.Player) bool { return *a == *b })
	if len(m.Challenges)+len(m.Games)+len(m.Players)+len(m.Progress)+len(m.Gone)+len(m.Left) == 0 &&
		old.Connected == fresh.Connected && old.Running == fresh.Running {
		return nil
	}
	return m
}

// compare returns the rows that are new or are not the same as before, and the keys of those that
// are gone.
func compare[T any](old, fresh []T, key func(*T) string, same func(a, b *T) bool) (changed []T, gone []string) {
	before := map[string]*T{}
	for i := range old {
		before[key(&old[i])] = &old[i]
	}
	for i := range fresh {
		k := key(&fresh[i])
		if b := before[k]; b == nil || !same(b, &fresh[i]) {
			changed = append(changed, fresh[i])
		}
		delete(before, k)
	}
	return changed, slices.Sorted(maps.Keys(before))
}
