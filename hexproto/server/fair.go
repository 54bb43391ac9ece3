package server

import (
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
	"gamebots/internal/parallel"
)

// What makes ratings worth something: docs/hosting.md tells hosts and players.

// fairPeriod is the time in which an account's rated games with an opponent are counted, and
// the games that it aborts.
const fairPeriod = 24 * time.Hour

// leastRatedTurns is how many turns a rated game has that counts. By its rules none is over before: Nim with four
// heaps takes as many. Whoever leaves it earlier aborts it.
const leastRatedTurns = 4

// maxGain is how many points an account gains in games with other accounts within fairPeriod at most, in a kind of
// game. However many second accounts somebody has, they are worth no more. Games with the server's bots give more.
const maxGain = 50

// leastRatedTime is the least time of a rated game's clock for forty moves. With less, the line
// decides, or how many bots of the server wait for a core.
const leastRatedTime = time.Minute

// ratedOptions returns the options, complete, with which games of rules are rated.
func ratedOptions(r game.Rules, about *wire.Rules) (complete []string, err error) {
	for _, options := range about.Rated {
		g, err := r.New(options)
		if err != nil {
			return nil, err
		}
		complete = append(complete, string(g.Options()))
	}
	return complete, nil
}

// checkRated returns an error unless a rated game of rules may be played as a challenge says.
// Ratings are not to be had from a game that one side cannot lose, nor from one that nobody can.
func checkRated(r game.Rules, m *wire.Challenge, g game.Game) *wire.Error {
	about := describe(r, nil)
	if about.Hidden {
		return refusal(wire.Refused, "", "%s is not rated: luck decides a game", m.Rules)
	}
	rated, err := ratedOptions(r, &about)
	c := m.Clock
	switch {
	case err != nil:
		return refusal(wire.Internal, "", "%v", err)
	case !slices.Contains(rated, string(g.Options())):
		return refusal(wire.Refused, "", "rated games of %s have the options %s: play a casual game, or leave out "+
			"the options", m.Rules, strings.Join(rated, " or "))
	case about.ByLot && (m.Seat == "first" || m.Seat == "second"):
		return refusal(wire.Refused, "", "who moves first in a rated game of %s is drawn, because one side cannot "+
			"lose it: leave out the seat", m.Rules)
	case c.None():
		return refusal(wire.Refused, "", "a rated game has a clock, so that whoever walks away loses it")
	case c.Main+40*(c.Increment+c.PerMove) < leastRatedTime.Milliseconds():
		return refusal(wire.Refused, "", "the clock of a rated game gives a player at least %d s for 40 moves",
			int(leastRatedTime.Seconds()))
	}
	return nil
}

// noHelp is the refusal of analyses, reports and strategies for a guarded game.
const noHelp = "no help in a game that is rated or between players while it runs"

// guarded reports whether a game runs that is rated, or in which two are no bots of the server.
// Nobody gets help in it from the server: a spectator may be the second account of a player.
func (t *table) guarded() bool {
	players := 0
	for range t.seats.people(nil) {
		players++
	}
	return t.result == nil && (t.rated || players > 1)
}

// isGuarded reports whether a game is guarded.
func (s *Server) isGuarded(id string) bool {
	return parallel.Get(&s.state, func(st *state) bool {
		t := st.games.tables[id]
		return t != nil && t.guarded()
	})
}

// inGuarded reports whether a caller plays in a guarded game of rules.
func (s *Server) inGuarded(caller any, rules string) bool {
	a, ok := caller.(*account)
	return ok && parallel.Get(&s.state, func(st *state) bool {
		for game := range a.tables {
			if t := game.Under(&st.games); t.rulesName == rules && t.guarded() {
				return true
			}
		}
		return false
	})
}

// checkStudy returns an error if an analysis of the position of a study would help in a guarded game: it
// could be set up in another game, to have it analysed.
func (s *Server) checkStudy(st *study) *wire.Error {
	if s.helped(st.rules, func(*games) *position { return st.past }) {
		return refusal(wire.Refused, st.id, "a running game has come to that position, or nearly: %s", noHelp)
	}
	return nil
}

// helped reports whether an analysis of a position, which find returns under the lock, would help in a guarded game.
// It compares them without the lock: there may be thousands of games.
func (c *core) helped(rules string, find func(*games) *position) bool {
	analyst, ok := c.rules[rules].(game.Analyst)
	if !ok {
		return false
	}
	studied, played := "", []string(nil)
	ok = c.locked(func(tx *transaction) {
		studied = find(&tx.games).outline()
		for _, t := range tx.games.tables {
			if t.rulesName == rules && t.guarded() {
				tx.game = t.ref()
				played = append(played, t.outline())
			}
		}
	})
	return !ok || slices.ContainsFunc(played, func(played string) bool { return analyst.Helps(studied, played) })
}

// times are points in time in Unix milliseconds, oldest first.
type times []int64

// add adds a time.
func (ts *times) add(at int64) {
	i, _ := slices.BinarySearch(*ts, at)
	*ts = slices.Insert(*ts, i, at)
}

// full forgets the times that are as old as fairPeriod, and returns how long it takes until there
// are fewer than a limit, or 0.
func (ts *times) full(limit int, at int64) time.Duration {
	old := at - fairPeriod.Milliseconds()
	*ts = slices.DeleteFunc(*ts, func(t int64) bool { return t <= old })
	if len(*ts) < limit {
		return 0
	}
	return time.Duration((*ts)[len(*ts)-limit]-old) * time.Millisecond
}

// ratedLimit returns an error if an account may not begin another rated game with an opponent, or
// with anybody if that is nil: one of them has aborted too many games, or they have begun too many
// rated ones with each other.
func (gs *games) ratedLimit(a, b *account) *wire.Error {
	at := date()
	again := func(wait time.Duration, what string) *wire.Error {
		free := time.UnixMilli(at).Add(wait + time.Minute).UTC().Format("15:04 UTC on 2 January")
		return later(wait, refusal(wire.TooMany, "", "%s: play a casual game, or a rated one from %s", what, free))
	}
	for _, player := range []*account{a, b} {
		if player == nil {
			return nil
		}
		if wait := player.aborts.full(gs.limits.Aborts, at); wait > 0 {
			return again(wait, fmt.Sprintf("%s has aborted %d games within a day", player.name, len(player.aborts)))
		}
	}
	begun := a.ratedWith[b]
	wait := begun.full(gs.limits.RatedGames, at)
	a.ratedWith[b] = begun
	if wait > 0 {
		return again(wait, fmt.Sprintf("%s and %s have begun %d rated games with each other within a day, the most "+
			"that are allowed", a.name, b.name, len(begun)))
	}
	return nil
}

// recent is a rated game that an account has finished with another, no bot of the server, within fairPeriod.
type recent struct {
	at       int64
	opponent *account
	change   int // what the account's rating gained
}

// countEnded remembers a rated game that an account has finished.
func countEnded(a *account, kind string, r recent) {
	if a.builtin == nil && r.opponent.builtin == nil {
		s := a.standing(kind)
		s.recent = append(s.recent, r)
	}
}

// share returns how much a rated game counts that would change the ratings of two accounts from before to after. The
// n-th that they finish with each other within fairPeriod counts 1/n, and less if one of them would gain more than
// maxGain. It counts the same for both: else an account that loses nothing would be a source of points. A game with a
// bot of the server counts whole.
func share(seats []*account, kind string, before, after []strength, at int64) float64 {
	share := 1.0
	for seat, a := range seats {
		if a.builtin != nil {
			return 1
		}
		s, n, room := a.standing(kind), 1, float64(maxGain)
		s.recent = slices.DeleteFunc(s.recent, func(r recent) bool { return r.at <= at-fairPeriod.Milliseconds() })
		for _, r := range s.recent {
			if room -= float64(r.change); r.opponent == seats[1-seat] {
				n++
			}
		}
		share = min(share, 1/float64(n))
		if gain := after[seat].Rating - before[seat].Rating; gain > 0 {
			share = min(share, max(0, room/gain))
		}
	}
	return share
}

// countBegun counts a rated game between two accounts, and forgets opponents of earlier days.
func countBegun(a, b *account, at int64) {
	old := func(_ *account, begun times) bool {
		return len(begun) == 0 || begun[len(begun)-1] <= at-fairPeriod.Milliseconds()
	}
	for range 2 {
		maps.DeleteFunc(a.ratedWith, old)
		begun := a.ratedWith[b]
		begun.add(at)
		a.ratedWith[b] = begun
		a, b = b, a
	}
}

// countAborted counts a game that an account has aborted, unless it was a casual one against a
// bot of the server.
func countAborted(by, opponent *account, rated bool, at int64) {
	if by.builtin == nil && (rated || opponent.builtin == nil) {
		by.aborts.add(at)
	}
}

// loadFair counts the games in the database that began, were aborted or ended within fairPeriod. Those that ended
// it finds by an index of when they began, so it misses the few that went on for more than a week, or with days for a
// move for more than a year.
func (as *accounts) loadFair() error {
	const query = `SELECT first.name, second.name, first.change, second.change, rated, started, ifnull(ended, 0), kind,
			iif(json_valid(result), ifnull(result ->> '$.aborted_by', ''), '') FROM games
		JOIN seats AS first ON first.game = row AND first.seat = 0
		JOIN seats AS second ON second.game = row AND second.seat = 1
		WHERE row IN (SELECT row FROM games WHERE result IS NOT NULL AND started > ?1
			UNION SELECT row FROM games WHERE result IS NOT NULL AND started > ?2 AND per_move >= ?3
			UNION ALL SELECT row FROM games WHERE result IS NULL AND started > ?1) AND (rated OR how = 'abort')`
	now := date()
	return as.store.each(query, []any{now - 7*day, now - 365*day, day}, func(rows *sql.Rows) error {
		var names [2]string
		var changes [2]*int // NULL if the game changed no ratings
		var kind, by string
		var rated bool
		var at, ended int64
		err := rows.Scan(&names[0], &names[1], &changes[0], &changes[1], &rated, &at, &ended, &kind, &by)
		if err != nil {
			return err
		}
		seats := []*account{as.named(names[0]), as.named(names[1])}
		if rated && at > now-fairPeriod.Milliseconds() {
			countBegun(seats[0], seats[1], at)
		}
		for seat, a := range seats {
			if by == a.name {
				countAborted(a, seats[1-seat], rated, ended)
			}
			if changes[seat] != nil {
				countEnded(a, kind, recent{ended, seats[1-seat], *changes[seat]})
			}
		}
		return nil
	})
}
