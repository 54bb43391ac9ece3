package server

import (
	"database/sql"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
)

// standing is an account's rating in one kind of game, and its results there.
type standing struct {
	strength                  // meaningless while rated is 0
	at               int64    // when the last rated game ended
	rated            int      // rated games
	won, lost, drawn int      // games, casual ones too
	recent           []recent // those that bound what the next is worth
}

// standing returns the account's standing in a kind of game.
func (a *account) standing(kind string) *standing {
	if a.standings[kind] == nil {
		a.standings[kind] = &standing{}
	}
	return a.standings[kind]
}

// measuredDeviation is the deviation of a rating that an arena has measured.
const measuredDeviation = 60

// kindOf returns the kind of a game. Players have a rating in each.
func kindOf(rules string, g game.Game) string {
	if sized, ok := g.(game.Sized); ok {
		return fmt.Sprintf("%s-%d", rules, sized.Size())
	}
	return rules
}

// rating returns the account's rating in a kind of game at a time in Unix
// milliseconds.
func (a *account) rating(kind string, at int64) strength {
	s := a.standings[kind]
	if s == nil || s.rated == 0 {
		return a.firstRating(kind)
	}
	return s.after(time.Duration(at-s.at) * time.Millisecond)
}

// firstRating returns the account's rating before its first rated game of a kind.
func (a *account) firstRating(kind string) strength {
	rules, _, _ := strings.Cut(kind, "-")
	if a.builtin == nil || a.builtin.Ratings[rules] == 0 {
		return a.first
	}
	return strength{
		Rating: float64(a.builtin.Ratings[rules]), Deviation: measuredDeviation, Volatility: firstVolatility,
	}
}

// player returns the account with its rating in a kind of game.
func (a *account) player(kind string) wire.Player {
	r := a.rating(kind, date())
	return wire.Player{
		Name: a.name, Bot: a.bot, Rating: round(r.Rating), Deviation: round(r.Deviation), Provisional: r.provisional(),
	}
}

// mainKind returns the kind of which the account has played most rated games, or "".
func (a *account) mainKind() string {
	kind, most := "", 0
	for k, s := range a.standings {
		if s.rated > most || s.rated == most && most > 0 && k < kind {
			kind, most = k, s.rated
		}
	}
	return kind
}

// wireRating returns the account's rating in a kind of game.
func (a *account) wireRating(kind string) wire.Rating {
	p, games := a.player(kind), 0
	if s := a.standings[kind]; s != nil {
		games = s.rated
	}
	return wire.Rating{Rating: p.Rating, Deviation: p.Deviation, Provisional: p.Provisional, Games: games}
}

// ratings returns the account's ratings by kind of game.
func (a *account) ratings() map[string]wire.Rating {
	ratings := map[string]wire.Rating{}
	for kind, s := range a.standings {
		if s.rated > 0 {
			ratings[kind] = a.wireRating(kind)
		}
	}
	return ratings
}

func round(x float64) int { return int(math.Round(x)) }

// The statements of ratings.
const (
	setRating = `REPLACE INTO ratings (account, kind, rating, deviation, volatility, at, rated, won, lost, drawn)
		VALUES (?,?,?,?,?,?,?,?,?,?)`
	addRating = `REPLACE INTO rating_history (account, kind, day, rating, deviation) VALUES (?,?,?,?,?)`
)

const day = int64(24 * time.Hour / time.Millisecond)

// count adds the result of a game to the standings of its players: an account in several
// seats has won if one of them has, and one that has left a drawn game has lost it. It returns
// the changes of their ratings, 0 in a casual game.
func (t *table) count(tx *transaction, result *wire.Result) []int {
	changes := make([]int, len(t.seats))
	kind, at := t.kind, date()
	before := make([]strength, len(t.seats))
	for seat, a := range t.seats {
		before[seat] = a.rating(kind, at)
	}
	after := slices.Clone(before)
	if t.rated { // so it has two seats
		after[0], after[1] = rateGame(before[0], before[1], [...]float64{0.5, 1, 0}[result.Winner+1])
		counts := share(t.seats, kind, before, after, at)
		after[0], after[1] = before[0].toward(after[0], counts), before[1].toward(after[1], counts)
	}
	for seat, a := range t.seats {
		if t.seat(a) != seat {
			continue // a bot in several seats, which counts once
		}
		s := a.standing(kind)
		switch {
		case result.Winner >= 0 && t.seats[result.Winner] == a:
			s.won++
		case result.Winner < 0 && t.plays(a):
			s.drawn++
		default:
			s.lost++
		}
		if t.rated {
			s.strength, s.at = after[seat], at
			s.rated++
			changes[seat] = round(s.Rating) - round(before[seat].Rating)
			countEnded(a, kind, recent{at, t.seats[1-seat], changes[seat]})
			tx.write(addRating, a.name, kind, at/day, s.Rating, s.Deviation)
		}
		tx.write(setRating, a.name, kind, s.Rating, s.Deviation, s.Volatility, s.at, s.rated, s.won, s.lost,
			s.drawn)
	}
	return changes
}

// loadStandings reads the standings of accounts.
func (as *accounts) loadStandings() error {
	const query = `SELECT account, kind, rating, deviation, volatility, at, rated, won, lost, drawn FROM ratings`
	return as.store.each(query, nil, func(rows *sql.Rows) error {
		var name, kind string
		s := &standing{}
		err := rows.Scan(&name, &kind, &s.Rating, &s.Deviation, &s.Volatility,
			&s.at, &s.rated, &s.won, &s.lost, &s.drawn)
		if a := as.byName[key(name)]; a != nil {
			a.standings[kind] = s
		}
		return err
	})
}
