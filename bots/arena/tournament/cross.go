package tournament

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gamebots/bots/arena/plan"
	"gamebots/internal/stats"
)

// Cross is the cross table of a run: every player over all tables, the best
// first, and every table.
type Cross struct {
	Unit    string     `json:"unit"` // of means and intervals: "mb a hand" or "points"
	Played  int        `json:"played"`
	Players []Standing `json:"standings"`
	Tables  []Line     `json:"results"`
}

// Standing is what a player has won in a game, over all tables.
type Standing struct {
	Name     string  `json:"name"`
	Games    int     `json:"games"`
	Mean     float64 `json:"mean"`
	Interval Half    `json:"interval95"` // of the mean, to each side
	Wins     int     `json:"wins,omitempty"`
	Draws    int     `json:"draws,omitempty"`
	Losses   int     `json:"losses,omitempty"`
	Faults   int     `json:"faults,omitempty"`
}

// Line is a table: what each of its players has won.
type Line struct {
	Names   []string   `json:"names"`
	Units   int        `json:"units"` // deals or openings
	Players []Standing `json:"players"`
	Decided string     `json:"decided,omitempty"` // by the test, if there is one
}

// Half is half an interval; where it is infinite, as after one observation, JSON
// has null.
type Half float64

// MarshalJSON writes the number, or null.
func (h Half) MarshalJSON() ([]byte, error) {
	if math.IsInf(float64(h), 0) || math.IsNaN(float64(h)) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(h), 'g', -1, 64), nil
}

// NewCross makes the cross table of the sums of a run, by table. A player's mean
// over all tables is that of its units, and tables are independent.
func NewCross(run *plan.Run, sums []plan.Tally) *Cross {
	p := run.Plan
	c := &Cross{Unit: "points"}
	scale := 1.0
	if p.Kind == plan.Poker {
		c.Unit = "chips a hand"
		if game, err := p.Acpc(); err == nil && game.MaxBlind() > 0 {
			c.Unit, scale = "mb a hand", 1000/float64(game.MaxBlind())
		}
	}
	type total struct {
		Standing
		units    int
		sum      float64
		variance float64 // of the sum
	}
	totals := make([]total, len(p.Players))
	for i, e := range p.Players {
		totals[i].Name = e.Name
	}
	for table, sum := range sums {
		names := p.Names(table)
		line := Line{Names: names, Units: sum.Units}
		for i := range sum.Scores {
			score := &sum.Scores[i]
			s := Standing{Name: names[i], Games: sum.Games, Wins: score.Wins, Draws: score.Draws, Losses: score.Losses, Faults: score.Faults}
			if sum.Units > 0 {
				sigma := standardError(p, score, sum.Units)
				s.Mean, s.Interval = scale*score.Mean(sum.Units), Half(scale*stats.Z95*sigma)
				t := &totals[p.Tables[table][i]]
				t.units += sum.Units
				t.sum += score.Sum
				t.variance += sigma * sigma * float64(sum.Units) * float64(sum.Units)
				t.Games += s.Games
				t.Wins, t.Draws, t.Losses, t.Faults = t.Wins+s.Wins, t.Draws+s.Draws, t.Losses+s.Losses, t.Faults+s.Faults
			}
			line.Players = append(line.Players, s)
		}
		if decided := plan.Decided(p, &sum); decided != 0 {
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
			t.Interval = Half(scale * stats.Z95 * math.Sqrt(t.variance) / float64(t.units))
		}
		c.Players = append(c.Players, t.Standing)
	}
	slices.SortStableFunc(c.Players, func(a, b Standing) int { return cmp.Compare(b.Mean, a.Mean) })
	return c
}

// differences are in what tests have them.
var differences = map[string]string{plan.Poker: "mb a hand", plan.Board: "Elo"}

// standardError returns the standard error of a mean. Openings of a board game that
// all went the same way say nothing of their variance: the interval is Wilson's
// then (1927), as of so many games of two results.
func standardError(run *plan.Plan, score *plan.Score, units int) float64 {
	sigma := score.StandardError(units)
	if run.Kind != plan.Board || sigma > 0 {
		return sigma
	}
	p := score.Mean(units)
	centre, half := stats.Wilson(p, float64(units))
	return max(centre+half-p, p-centre+half) / stats.Z95
}

// Pair returns what one player has won at the table of two, or nil where they
// have not met.
func (c *Cross) Pair(name, other string) *Standing {
	for _, t := range c.Tables {
		for i := range t.Players {
			if len(t.Players) == 2 && t.Units > 0 && t.Names[i] == name && t.Names[1-i] == other {
				return &t.Players[i]
			}
		}
	}
	return nil
}
