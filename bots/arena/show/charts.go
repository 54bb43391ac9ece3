package show

import (
	"gamebots/bots/arena/record"
	"gamebots/bots/arena/store"
)

// Chart is some lines over the games that were played.
type Chart struct {
	Title string `json:"title"`
	Unit  string `json:"unit"`
	// At is where the points are, in games of the run.
	At    []int  `json:"at"`
	Lines []Line `json:"lines"` // one a player
}

// Line is a line of a chart.
type Line struct {
	Name   string    `json:"name"`
	Values []float64 `json:"values"`
}

// points is how many a line has at most.
const points = 200

// chartsOf draws how a run went, in the order in which its results came.
func chartsOf(run *store.Run, stored []store.Stored) []Chart {
	return []Chart{winnings(run.Plan, stored)}
}

// winnings is what each player has won in all: of board games the points above
// half of its games.
func winnings(p *record.Plan, stored []store.Stored) Chart {
	unit, scale := unitOf(p)
	c := Chart{Title: "Winnings", Unit: unit, At: []int{0}}
	if p.Kind == record.Board {
		c.Title, c.Unit = "Points above one half", "points"
	}
	won := make([]float64, len(p.Players))
	for _, player := range p.Players {
		c.Lines = append(c.Lines, Line{player.Name, []float64{0}})
	}
	games := 0
	for i, x := range stored {
		games += x.Tally.Games
		for j, score := range x.Tally.Scores {
			sum := score.Sum // a unit's observation is the mean of its games
			if p.Kind == record.Board {
				sum -= float64(x.Tally.Units) / 2
			}
			won[p.Tables[x.Table][j]] += sum * float64(len(p.Orders)) * scale
		}
		if !keeps(i, len(stored)) {
			continue
		}
		c.At = append(c.At, games)
		for j := range won {
			c.Lines[j].Values = append(c.Lines[j].Values, won[j])
		}
	}
	return c
}

// keeps says whether a line has a point after result i of n: all of few, evenly
// chosen ones of many, and the last.
func keeps(i, n int) bool {
	return n <= points || i == n-1 || (i+1)*points/n > i*points/n
}
