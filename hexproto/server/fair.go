package server

import (
	"bytes"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
)

// What makes ratings worth something: docs/hosting.md tells hosts and players.

// fairPeriod is the time in which an account's rated games with an opponent are counted, and
// the games that it aborts.
const fairPeriod = 24 * time.Hour

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
	for range t.people(nil) {
		players++
	}
	return t.result == nil && (t.rated || players > 1)
}

// isGuarded reports whether a game is guarded.
func (s *Server) isGuarded(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.games.tables[id]
	return t != nil && t.guarded()
}

// inGuarded reports whether a caller plays in a guarded game of rules.
func (s *Server) inGuarded(caller any, rules string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, ok := caller.(*account)
	return ok && a.inGuarded(rules)
}

func (a *account) inGuarded(rules string) bool {
	for t := range a.tables {
		if t.rulesName == rules && t.guarded() {
			return true
		}
	}
	return false
}

// From guardedFrom turns on the positions of guarded games are not rated in other games: before
// that, many games have the same. Nor are those of guardedBefore turns before, whose ratings have
// lines that may lead on to the position of the game.
const (
	guardedFrom   = 4
	guardedBefore = 8
)

// checkStudy returns an error if the position of a study is that of a guarded game, or comes some
// turns before or one after it, whatever the order of its moves, and whichever way the board is
// turned: it could be set up in another game, to have it analysed. Who plays a guarded game gets no
// variations of its rules at all.
func (s *Server) checkStudy(a *account, st *study) *wire.Error {
	images, turns := st.past.images(), len(st.past.moves)
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(st.line) > 0 && a.inGuarded(st.rules) {
		return refusal(wire.Refused, st.id, "no variations are rated while you play a game that is rated or between "+
			"players")
	}
	for _, t := range s.games.tables {
		before := t.turn - turns
		if min(t.turn, turns) < guardedFrom || before > guardedBefore || before < -1 || t.rulesName != st.rules ||
			!t.guarded() || !bytes.Equal(t.options.short, st.past.options.short) || t.asleep() && before > 0 {
			continue
		}
		// The moves of a game that sleeps are not in memory: any that are as many may be its own.
		for _, moves := range images {
			if moves.lack(t.moves, max(before, 0)) {
				continue
			}
			return refusal(wire.Refused, st.id, "a running game has come to that position: %s", noHelp)
		}
	}
	return nil
}

// moveSet counts moves of seats, whatever their order.
type moveSet map[seatMove]int

type seatMove struct {
	seat int
	move string
}

// lack reports whether more than some moves are not in the set.
func (s moveSet) lack(moves []wire.Move, some int) bool {
	seen := moveSet{}
	for _, m := range moves {
		key := seatMove{m.Seat, m.Move}
		if seen[key]++; seen[key] > s[key] {
			some--
		}
		if some < 0 {
			return true
		}
	}
	return false
}

// images returns the moves of the position as each symmetry of its board maps them.
func (p *position) images() []moveSet {
	images := make([]moveSet, 1)
	symmetric, ok := p.game.(game.Symmetric)
	if ok {
		images = make([]moveSet, symmetric.Symmetries())
	}
	for i := range images {
		images[i] = moveSet{}
		for _, m := range p.moves {
			if ok {
				m.Move = symmetric.Image(m.Move, i)
			}
			images[i][seatMove{m.Seat, m.Move}]++
		}
	}
	return images
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

// loadFair counts the games of the last day that are in the database, which it finds by their indices.
func (gs *games) loadFair() error {
	const query = `SELECT first.name, second.name, rated, started, 
			iif(json_valid(result), ifnull(result ->> '$.aborted_by', ''), '') FROM games
		JOIN seats AS first ON first.game = row AND first.seat = 0
		JOIN seats AS second ON second.game = row AND second.seat = 1
		WHERE row IN (SELECT row FROM games WHERE result IS NOT NULL AND started > ?1
			UNION ALL SELECT row FROM games WHERE result IS NULL AND started > ?1) AND (rated OR how = 'abort')`
	return gs.store.each(query, []any{date() - fairPeriod.Milliseconds()}, func(rows *sql.Rows) error {
		var first, second, by string
		var rated bool
		var at int64
		if err := rows.Scan(&first, &second, &rated, &at, &by); err != nil {
			return err
		}
		gs.mu.Lock()
		defer gs.mu.Unlock()
		a, b := gs.accounts.named(first), gs.accounts.named(second)
		if rated {
			countBegun(a, b, at)
		}
		switch by {
		case a.name:
			countAborted(a, b, rated, at)
		case b.name:
			countAborted(b, a, rated, at)
		}
		return nil
	})
}
