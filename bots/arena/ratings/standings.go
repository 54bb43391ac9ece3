package ratings

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gamebots/bots/arena"
)

// PokerStanding is a player's place in a run of poker.
type PokerStanding struct {
	Player   string   `json:"player"`
	Bankroll *float64 `json:"bankroll"` // nil for a player without a result
	Interval *float64 `json:"interval95"`
	Unit     string   `json:"unit"` // unit of the bankroll and its interval
}

// PokerStandings ranks the players of a run by bankroll in a unit, those without a result last.
func PokerStandings(p *arena.Plan, league *League, unit string) []PokerStanding {
	rolls := league.Bankrolls()
	list := make([]PokerStanding, len(p.Players))
	for i, e := range p.Players {
		list[i].Player, list[i].Unit = e.Name, unit
		if !math.IsNaN(rolls[i].Won) {
			list[i].Bankroll, list[i].Interval = &rolls[i].Won, &rolls[i].Interval95
		}
	}
	won := func(s PokerStanding) float64 {
		if s.Bankroll == nil {
			return math.Inf(-1)
		}
		return *s.Bankroll
	}
	slices.SortStableFunc(list, func(a, b PokerStanding) int { return cmp.Compare(won(b), won(a)) })
	return list
}

// BoardStanding is a player's place in a run of a board game.
type BoardStanding struct {
	Player   string  `json:"player"`
	Elo      float64 `json:"elo"`
	Interval float64 `json:"interval95"`
	Score    float64 `json:"score"`
	Games    float64 `json:"games"`
	Prior    float64 `json:"prior"` // drawn games added to each pair
}

// BoardStandings rates the players of a run with these sums by table, the strongest first.
func BoardStandings(p *arena.Plan, sums []arena.Tally) ([]BoardStanding, error) {
	results := EncountersOf(p, sums)
	rated, err := Rate(len(p.Players), results)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", p.Name, err)
	}
	list := make([]BoardStanding, len(p.Players))
	for i, e := range p.Players {
		list[i] = BoardStanding{Player: e.Name, Elo: rated.Elo[i], Interval: rated.Interval95(i), Prior: rated.Prior}
	}
	for _, r := range results {
		list[r.A].Score += r.Score
		list[r.B].Score += r.Games - r.Score
		list[r.A].Games += r.Games
		list[r.B].Games += r.Games
	}
	slices.SortStableFunc(list, func(a, b BoardStanding) int { return cmp.Compare(b.Elo, a.Elo) })
	return list, nil
}
