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

// LeagueOf returns the results of a poker run with these sums by table, in thousandths
// of the largest blind or ante if there is one, else in chips.
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

// Unit returns the value of a chip in the unit of results: mb, or chips without blinds.
func Unit(p *plan.Plan) (float64, error) {
	game, err := p.Acpc()
	if err != nil || game.MaxBlind() == 0 {
		return 1, err
	}
	return 1000 / float64(game.MaxBlind()), nil
}

// EncountersOf returns the results of a run of a board game with these sums by table.
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

// WinningsOf returns the winnings of each player of a run: at poker in
// blinds (chips if there are none), at board games in points above 1/2.
func WinningsOf(ctx context.Context, games plan.Games, run *plan.Run) ([]Winnings, error) {
	winnings := make([]Winnings, len(run.Plan.Players))
	if run.Plan.Kind == plan.Board {
		for g, err := range games.BoardGames(ctx, run) {
			if err != nil {
				return nil, err
			}
			for i, player := range run.Plan.Tables[g.Table] {
				winnings[player].Add(g.Number/2, (g.Score-0.5)*float64(1-2*i))
			}
		}
		return winnings, nil
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
			winnings[h.Players[position]].Add(h.Deal, h.Values[position]/blind)
		}
	}
	return winnings, nil
}

// TableEstimate is the estimate of a table of two, for Player.
type TableEstimate struct {
	Table         int
	Player, Other int
	// Both reports whether the strategies of both players were known.
	Both bool
	Estimate
}

// EstimateRun estimates the tables of two players where a strategy is known. Strategies
// are by player, nil where unknown. OnHand, if not nil, is called with the table and
// the number of its hands so far.
func EstimateRun(ctx context.Context, games plan.Games, run *plan.Run, strategies []*aivat.Strategy, threads int, onHand func(table, hands int)) ([]TableEstimate, error) {
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
		e.Estimate, err = EstimateHands(ctx, estimator, threads, tableHands(ctx, games, run, table, e.Player, onHand))
		if err != nil {
			return nil, fmt.Errorf("%s against %s: %w", run.Plan.Players[e.Player].Name, run.Plan.Players[e.Other].Name, err)
		}
		all = append(all, e)
	}
	return all, nil
}

// tableHands returns the hands of a table from the view of a player.
func tableHands(ctx context.Context, games plan.Games, run *plan.Run, table, player int, onHand func(table, hands int)) iter.Seq2[Played, error] {
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
			if n++; onHand != nil {
				onHand(table, n)
			}
			if !yield(Played{h.State, position, strconv.Itoa(h.Deal)}, nil) {
				return
			}
		}
	}
}

// Estimated returns a league in which estimates replace the winnings of their tables.
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
