package worth

import (
	"context"

	"gamebots/bots/arena/record"
	"gamebots/bots/arena/store"
)

// LeagueOf returns what the players of a run of poker have won, in thousandths of the
// largest blind or ante where there is one, else in chips. sums are by table.
func LeagueOf(p *record.Plan, sums []record.Tally) (*League, error) {
	game, err := p.Acpc()
	if err != nil {
		return nil, err
	}
	scale := 1.0
	if blind := game.MaxBlind(); blind > 0 {
		scale = 1000 / float64(blind)
	}
	l := &League{Players: len(p.Players)}
	for table, sum := range sums {
		if sum.Units < 2 {
			continue // no interval yet
		}
		m := Meeting{Players: p.Tables[table]}
		for i := range sum.Scores {
			m.Won = append(m.Won, scale*sum.Scores[i].Mean(sum.Units))
			m.Errors = append(m.Errors, scale*sum.Scores[i].StandardError(sum.Units))
		}
		l.Meetings = append(l.Meetings, m)
	}
	return l, nil
}

// EncountersOf returns who has scored what against whom in a run of board games.
func EncountersOf(p *record.Plan, sums []record.Tally) (results []Encounter) {
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

// Courses returns how the winnings of each player of a run went: of poker in blinds (or
// chips, where there are none), of board games in points over a half.
func Courses(ctx context.Context, db *store.Store, run *store.Run) ([]Course, error) {
	courses := make([]Course, len(run.Plan.Players))
	if run.Plan.Kind == record.Board {
		for g, err := range db.BoardGames(ctx, run) {
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
	for h, err := range db.Hands(ctx, run) {
		if err != nil {
			return nil, err
		}
		for position := range game.NumPlayers {
			courses[h.Players[position]].Add(h.Deal, h.Values[position]/blind)
		}
	}
	return courses, nil
}
