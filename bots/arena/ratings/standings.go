package ratings

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gamebots/bots/arena/plan"
)

// PokerStanding is a player's place in a run of poker.
type PokerStanding struct {
	Player   string   `json:"player"`
	Bankroll *float64 `json:"bankroll"` // nil for a player without a result
	Interval *float64 `json:"interval95"`
	Rank     Place    `json:"rank"` // rank by bankroll
	Runoff   Place    `json:"runoff"`
}

// Place is a rank with its 95% interval, and the share of draws in which it was the first.
type Place struct {
	Rank  int     `json:"rank"`
	Best  int     `json:"best"`
	Worst int     `json:"worst"`
	First float64 `json:"first"`
}

// String writes a place for people, as in "2 (1-3)  40%".
func (p Place) String() string {
	return fmt.Sprintf("%d (%d-%d) %3.0f%%", p.Rank, p.Best, p.Worst, 100*p.First)
}

// draws is how often results are resampled for the intervals of ranks.
const draws = 10_000

// PokerStandings ranks the players of a run by bankroll, and returns the rounds of the runoff.
func PokerStandings(p *plan.Plan, league *League) ([]PokerStanding, []Elimination) {
	rolls, rounds := league.Bankrolls(league.All()), league.Runoff()
	byBankroll, byRunoff := Ranks(rolls), RunoffRanks(rounds)
	spans, runoffSpans := league.Bootstrap(draws, 1)
	place := func(rank int, s RankInterval) Place { return Place{rank, s.Best, s.Worst, s.First} }
	list := make([]PokerStanding, len(p.Players))
	for i, e := range p.Players {
		list[i] = PokerStanding{
			Player: e.Name, Rank: place(byBankroll[i], spans[i]), Runoff: place(byRunoff[i], runoffSpans[i]),
		}
		if !math.IsNaN(rolls[i].Won) {
			list[i].Bankroll, list[i].Interval = &rolls[i].Won, &rolls[i].Interval95
		}
	}
	slices.SortFunc(list, func(a, b PokerStanding) int { return cmp.Compare(a.Rank.Rank, b.Rank.Rank) })
	return list, rounds
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
func BoardStandings(p *plan.Plan, sums []plan.Tally) ([]BoardStanding, error) {
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
