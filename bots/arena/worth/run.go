package worth

import (
	"gamebots/bots/arena/record"
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
