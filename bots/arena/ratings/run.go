package ratings

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"gamebots/acpc/money"
	"gamebots/bots/arena"
	"gamebots/internal/stats"
	"gamebots/solvers/evaluate/aivat"
)

// LeagueOf returns the results of a poker run with these sums by table, in the unit of a format. It leaves out tables
// that have too few deals for an interval. No other table is an error.
func LeagueOf(p *arena.Plan, sums []arena.Tally, f money.Format) (*League, error) {
	_, scale := f.Column()
	l := &League{Players: len(p.Players)}
	for table, sum := range sums {
		if sum.Units < 2 {
			continue // no interval yet
		}
		m := TableResult{Players: p.Tables[table]}
		for i := range sum.Scores {
			m.Won = append(m.Won, scale*sum.Scores[i].Mean(sum.Units))
			m.Errors = append(m.Errors, sum.Scores[i].Uncertainty(sum.Units).Times(scale))
		}
		l.Tables = append(l.Tables, m)
	}
	if len(l.Tables) == 0 {
		return nil, fmt.Errorf("run %s: a ranking needs a table with two deals", p.Name)
	}
	return l, nil
}

// EncountersOf returns the results of a run of a board game with these sums by table.
func EncountersOf(p *arena.Plan, sums []arena.Tally) (results []Encounter) {
	for table, sum := range sums {
		if sum.Games > 0 {
			s := &sum.Scores[0]
			e := Encounter{
				A: p.Tables[table][0], B: p.Tables[table][1],
				Score: float64(s.Wins) + float64(s.Draws)/2, Games: float64(sum.Games),
			}
			if sum.Units > 1 { // the games of an opening depend on each other
				e.Error = s.Uncertainty(sum.Units).Times(e.Games)
			}
			results = append(results, e)
		}
	}
	return results
}

// WinningsOf returns the winnings of each player of a run: at poker in
// blinds (chips if there are none), at board games in points above 1/2.
func WinningsOf(ctx context.Context, games arena.Games, run *arena.Run) ([]Winnings, error) {
	winnings := make([]Winnings, len(run.Plan.Players))
	if run.Plan.Kind == arena.Board {
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

// TableEstimate is the estimate of a player's winnings at a table.
type TableEstimate struct {
	Table  int
	Player int
	Others []int
	Estimate
}

// EstimateRun estimates the winnings of the players of known strategies at every table; at a
// table of two, those of one of them. Strategies are by player, nil where unknown. OnHand, if
// not nil, is called for each estimate with the table and the number of its hands so far.
func EstimateRun(
	ctx context.Context, games arena.Games, run *arena.Run, strategies []*aivat.Strategy, threads int,
	onHand func(table, hands int),
) ([]TableEstimate, error) {
	var all []TableEstimate
	for table, players := range run.Plan.Tables {
		for i, player := range players {
			known := strategies[player]
			if known == nil {
				continue
			}
			e := TableEstimate{Table: table, Player: player, Others: slices.Delete(slices.Clone(players), i, i+1)}
			other, otherKnown := known, false // a guess
			if len(players) == 2 && strategies[e.Others[0]] != nil {
				other, otherKnown = strategies[e.Others[0]], true
			}
			estimator, err := aivat.New(known, other, otherKnown)
			if err != nil {
				return nil, err
			}
			e.Estimate, err = EstimateHands(ctx, estimator, threads, tableHands(ctx, games, run, table, player, onHand))
			if err != nil {
				return nil, fmt.Errorf("%s at table %s: %w", run.Plan.Players[player].Name,
					strings.Join(run.Plan.Names(table), " "), err)
			}
			all = append(all, e)
			if len(players) == 2 {
				break // the other has won what this one has lost
			}
		}
	}
	return all, nil
}

// tableHands returns the hands of a table from the view of a player.
func tableHands(
	ctx context.Context, games arena.Games, run *arena.Run, table, player int, onHand func(table, hands int),
) iter.Seq2[Played, error] {
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
			if n++; onHand != nil {
				onHand(table, n)
			}
			position := slices.Index(h.Players[:len(run.Plan.Tables[table])], player)
			if !yield(Played{h.State, position, strconv.Itoa(h.Deal)}, nil) {
				return
			}
		}
	}
}

// Estimated returns a league in which estimates replace what players have won at their tables. The only player of a
// table without an estimate has won what the others have lost. The format is that of the league.
func (l *League) Estimated(p *arena.Plan, estimates []TableEstimate, f money.Format) *League {
	_, scale := f.Column()
	out := &League{Players: l.Players}
	for _, m := range l.Tables {
		var at []TableEstimate
		for _, e := range estimates {
			if slices.Equal(p.Tables[e.Table], m.Players) {
				at = append(at, e)
			}
		}
		if len(at) > 0 {
			m = m.estimated(at, scale)
		}
		out.Tables = append(out.Tables, m)
	}
	return out
}

// estimated returns the table with the estimates of some of its players, times a scale.
func (m *TableResult) estimated(estimates []TableEstimate, scale float64) TableResult {
	out := TableResult{Players: m.Players, Won: slices.Clone(m.Won), Errors: slices.Clone(m.Errors)}
	set := func(player int, won *stats.Sample) {
		i := slices.Index(m.Players, player)
		out.Won[i], out.Errors[i] = scale*won.Mean(), won.Uncertainty().Times(scale)
	}
	rest, lost := slices.Clone(m.Players), make([]float64, len(estimates[0].ByDeal))
	for _, e := range estimates {
		set(e.Player, &e.Estimated)
		rest = slices.DeleteFunc(rest, func(p int) bool { return p == e.Player })
		for deal, x := range e.ByDeal {
			lost[deal] -= x
		}
	}
	if len(rest) == 1 { // deal by deal, because the estimates of a deal depend on each other
		var won stats.Sample
		for _, x := range lost {
			won.Add(x)
		}
		set(rest[0], &won)
	}
	return out
}
