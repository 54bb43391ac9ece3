package ratings

import (
	"context"
	"fmt"
	"iter"
	"strconv"

	"gamebots/bots/arena/plan"
	"gamebots/internal/stats"
	"gamebots/solvers/cfr/aivat"
)

// LeagueOf returns what the players of a run of poker have won, in thousandths of the
// largest blind or ante where there is one, else in chips. sums are by table.
func LeagueOf(p *plan.Plan, sums []plan.Tally) (*League, error) {
	scale, err := Unit(p)
	if err != nil {
		return nil, err
	}
	l := &League{Players: len(p.Players)}
	for table, sum := range sums {
		if sum.Units < 2 {
			continue // no interval yet
		}
		m := TableResult{Players: p.Tables[table]}
		for i := range sum.Scores {
			m.Won = append(m.Won, scale*sum.Scores[i].Mean(sum.Units))
			m.Errors = append(m.Errors, scale*sum.Scores[i].StandardError(sum.Units))
		}
		l.Tables = append(l.Tables, m)
	}
	return l, nil
}

// Unit returns what a chip is in the unit of results: mb, or chips where there are no blinds.
func Unit(p *plan.Plan) (float64, error) {
	game, err := p.Acpc()
	if err != nil || game.MaxBlind() == 0 {
		return 1, err
	}
	return 1000 / float64(game.MaxBlind()), nil
}

// EncountersOf returns who has scored what against whom in a run of board games.
func EncountersOf(p *plan.Plan, sums []plan.Tally) (results []Encounter) {
	for table, sum := range sums {
		if sum.Games > 0 {
			s := &sum.Scores[0]
			results = append(results, Encounter{
				A: p.Tables[table][0], B: p.Tables[table][1],
				Score: float64(s.Wins) + float64(s.Draws)/2, Games: float64(sum.Games),
			})
		}
	}
	return results
}

// WinningsOf returns how the winnings of each player of a run went: of poker in blinds (or
// chips, where there are none), of board games in points over a half.
func WinningsOf(ctx context.Context, games plan.Games, run *plan.Run) ([]Winnings, error) {
	courses := make([]Winnings, len(run.Plan.Players))
	if run.Plan.Kind == plan.Board {
		for g, err := range games.BoardGames(ctx, run) {
			if err != nil {
				return nil, err
			}
			for i, player := range run.Plan.Tables[g.Table] {
				courses[player].Add(g.Number/2, (g.Score-0.5)*float64(1-2*i))
			}
		}
		return courses, nil
	}
	game, err := run.Plan.Acpc()
	if err != nil {
		return nil, err
	}
	blind := float64(max(1, game.MaxBlind()))
	for h, err := range games.Hands(ctx, run) {
		if err != nil {
			return nil, err
		}
		for position := range game.NumPlayers {
			courses[h.Players[position]].Add(h.Deal, h.Values[position]/blind)
		}
	}
	return courses, nil
}

// TableEstimate is what the first of two players at a table has won.
type TableEstimate struct {
	Table         int
	Player, Other int
	// Both says that the strategies of both were known.
	Both bool
	Estimate
}

// EstimateRun estimates the tables of two of which a strategy is known; strategies are
// by player, nil where they are not. told is told of every hand, and of values that are
// prepared, in parts of one table.
func EstimateRun(ctx context.Context, games plan.Games, run *plan.Run, strategies []*aivat.Strategy, threads int, told func(table, hands int)) ([]TableEstimate, error) {
	var all []TableEstimate
	for table, players := range run.Plan.Tables {
		if len(players) != 2 {
			continue
		}
		e := TableEstimate{Table: table, Player: players[0], Other: players[1]}
		if strategies[e.Player] == nil {
			e.Player, e.Other = e.Other, e.Player
		}
		known, other := strategies[e.Player], strategies[e.Other]
		if known == nil {
			continue
		}
		if e.Both = other != nil; !e.Both {
			other = known
		}
		estimator, err := aivat.New(known, other, e.Both, threads, nil)
		if err != nil {
			return nil, err
		}
		e.Estimate, err = EstimateHands(ctx, estimator, threads, tableHands(ctx, games, run, table, e.Player, told))
		if err != nil {
			return nil, fmt.Errorf("%s against %s: %w", run.Plan.Players[e.Player].Name, run.Plan.Players[e.Other].Name, err)
		}
		all = append(all, e)
	}
	return all, nil
}

// tableHands are the hands of a table as a player's.
func tableHands(ctx context.Context, games plan.Games, run *plan.Run, table, player int, told func(table, hands int)) iter.Seq2[Played, error] {
	return func(yield func(Played, error) bool) {
		n := 0
		for h, err := range games.Hands(ctx, run) {
			if err != nil {
				yield(Played{}, err)
				return
			}
			if h.Table != table {
				continue
			}
			position := 0
			if h.Players[1] == player {
				position = 1
			}
			if n++; told != nil {
				told(table, n)
			}
			if !yield(Played{h.State, position, strconv.Itoa(h.Deal)}, nil) {
				return
			}
		}
	}
}

// Estimated returns a league with estimates in the place of what was won, where there
// are some.
func (l *League) Estimated(p *plan.Plan, estimates []TableEstimate) (*League, error) {
	scale, err := Unit(p)
	if err != nil {
		return nil, err
	}
	out := &League{Players: l.Players}
	for _, m := range l.Tables {
		for _, e := range estimates {
			if len(m.Players) == 2 && (m.Players[0] == e.Player && m.Players[1] == e.Other || m.Players[0] == e.Other && m.Players[1] == e.Player) {
				won, sigma := scale*e.Estimated.Mean(), scale*e.Estimated.Interval95()/stats.Z95
				m = TableResult{Players: []int{e.Player, e.Other}, Won: []float64{won, -won}, Errors: []float64{sigma, sigma}}
			}
		}
		out.Tables = append(out.Tables, m)
	}
	return out, nil
}
