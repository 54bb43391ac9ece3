package tournament

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gamebots/acpc/money"
	"gamebots/bots/arena"
	"gamebots/internal/stats"
)

// CrossTable is the standings of a run, best player first, and the result of every
// table.
type CrossTable struct {
	Unit    string     `json:"unit"` // unit of means and intervals: "mb a hand", "chips a hand" or "points"
	Played  int        `json:"played"`
	Players []Standing `json:"standings"`
	Tables  []TableRow `json:"results"`

	decimals int // decimals of means as text
}

// Standing is the result of a player, over all tables or at one.
type Standing struct {
	Name     string          `json:"name"`
	Games    int             `json:"games"`
	Mean     float64         `json:"mean"`
	Interval stats.HalfWidth `json:"interval95"` // half the width, around the mean
	Wins     int             `json:"wins,omitempty"`
	Draws    int             `json:"draws,omitempty"`
	Losses   int             `json:"losses,omitempty"`
	Faults   int             `json:"faults,omitempty"`
}

// TableRow is the result of one table.
type TableRow struct {
	Names   []string   `json:"names"`
	Units   int        `json:"units"` // deals or openings
	Players []Standing `json:"players"`
	Decided string     `json:"decided,omitempty"` // the decision of the sequential test, if it made one
}

// NewCrossTable returns the cross table of a run with these sums by table. Means at poker are in the unit of a
// format. A player's mean over all tables weighs every unit alike; tables are independent.
func NewCrossTable(run *arena.Run, sums []arena.Tally, f money.Format) *CrossTable {
	p := run.Plan
	c := &CrossTable{Unit: "points", decimals: 3}
	scale := 1.0
	if p.Kind == arena.Poker {
		c.Unit, scale = f.Column()
		c.decimals = f.Decimals()
	}
	type total struct {
		Standing
		units int
		sum   float64
		error stats.Uncertainty // the sum's
	}
	unknown := stats.HalfWidth(math.Inf(1))
	totals := make([]total, len(p.Players))
	for i, e := range p.Players {
		totals[i].Name, totals[i].Interval = e.Name, unknown
	}
	for table, sum := range sums {
		names := p.Names(table)
		line := TableRow{Names: names, Units: sum.Units}
		for i := range sum.Scores {
			score := &sum.Scores[i]
			s := Standing{
				Name: names[i], Games: sum.Games, Interval: unknown, Wins: score.Wins, Draws: score.Draws,
				Losses: score.Losses, Faults: score.Faults,
			}
			if sum.Units > 0 {
				mean := uncertainty(p, score, sum.Units)
				s.Mean, s.Interval = scale*score.Mean(sum.Units), stats.HalfWidth(scale*mean.Interval95())
				t := &totals[p.Tables[table][i]]
				t.units += sum.Units
				t.sum += score.Sum
				t.error = t.error.Add(mean.Times(float64(sum.Units)))
				t.Games += s.Games
				t.Wins, t.Draws, t.Losses = t.Wins+s.Wins, t.Draws+s.Draws, t.Losses+s.Losses
				t.Faults += s.Faults
			}
			line.Players = append(line.Players, s)
		}
		if decided := arena.Decided(p, &sum); decided != 0 {
			is, not := p.Stop.Second, p.Stop.First
			if decided < 0 {
				is, not = not, is
			}
			line.Decided = fmt.Sprintf("%s is %+g %s, not %+g", names[0], is, differences[p.Kind], not)
		}
		c.Played += sum.Games
		c.Tables = append(c.Tables, line)
	}
	for _, t := range totals {
		if t.units > 0 {
			t.Mean = scale * t.sum / float64(t.units)
			t.Interval = stats.HalfWidth(scale * t.error.Interval95() / float64(t.units))
		}
		c.Players = append(c.Players, t.Standing)
	}
	slices.SortStableFunc(c.Players, func(a, b Standing) int { return cmp.Compare(b.Mean, a.Mean) })
	return c
}

// differences names the unit of a sequential test's differences.
var differences = map[string]string{arena.Poker: "mb a hand", arena.Board: "Elo"}

// uncertainty returns that of a mean. Where all openings of a board game had the same
// result, the sample has no variance: the interval is then Wilson's, with an opening for
// one trial.
func uncertainty(run *arena.Plan, score *arena.Score, units int) stats.Uncertainty {
	u := score.Uncertainty(units)
	if run.Kind != arena.Board || u.Variance > 0 {
		return u
	}
	p := score.Mean(units)
	centre, half := stats.Wilson(p, float64(units))
	sigma := (half + math.Abs(centre-p)) / stats.Z95
	return stats.Uncertainty{Variance: sigma * sigma, Freedom: math.Inf(1)}
}

// Pair returns the result of one player against another at their table of two, or nil
// if they have not met.
func (c *CrossTable) Pair(name, other string) *Standing {
	for _, t := range c.Tables {
		for i := range t.Players {
			if len(t.Players) == 2 && t.Units > 0 && t.Names[i] == name && t.Names[1-i] == other {
				return &t.Players[i]
			}
		}
	}
	return nil
}
