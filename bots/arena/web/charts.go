package web

import (
	"gamebots/bots/arena/plan"
	"gamebots/bots/arena/ratings"
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

// The largest numbers of points of a line. Ratings take longer to compute.
const (
	points       = 200
	ratingPoints = 50
)

// chartsOf returns the charts of a run, over its results in the order of their arrival.
func chartsOf(run *plan.Run, stored []plan.ShardResult) []Chart {
	charts := []Chart{winnings(run.Plan, stored)}
	if c, ok := ratingsChart(run.Plan, stored); ok {
		charts = append(charts, c)
	}
	return charts
}

// ratingsChart returns the ratings over the games of a board game, from where all players
// can be compared; ok is false before.
func ratingsChart(p *plan.Plan, stored []plan.ShardResult) (c Chart, ok bool) {
	if p.Kind != plan.Board {
		return c, false
	}
	c = Chart{Title: "Ratings", Unit: "points of Elo"}
	for _, player := range p.Players {
		c.Lines = append(c.Lines, Line{Name: player.Name})
	}
	sums := make([]plan.Tally, len(p.Tables))
	games := 0
	for i, x := range stored {
		games += x.Tally.Games
		sums[x.Table].Add(&x.Tally)
		if !keeps(i, len(stored), ratingPoints) {
			continue
		}
		r, err := ratings.Rate(len(p.Players), ratings.EncountersOf(p, sums))
		if err != nil {
			continue
		}
		c.At = append(c.At, games)
		for j, elo := range r.Elo {
			c.Lines[j].Values = append(c.Lines[j].Values, elo)
		}
	}
	return c, len(c.At) > 0
}

// winnings returns the cumulative winnings of each player: at board games the points above
// half of its games.
func winnings(p *plan.Plan, stored []plan.ShardResult) Chart {
	unit, scale := unitOf(p)
	c := Chart{Title: "Winnings", Unit: unit, At: []int{0}}
	if p.Kind == plan.Board {
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
			if p.Kind == plan.Board {
				sum -= float64(x.Tally.Units) / 2
			}
			won[p.Tables[x.Table][j]] += sum * float64(len(p.Orders)) * scale
		}
		if !keeps(i, len(stored), points) {
			continue
		}
		c.At = append(c.At, games)
		for j := range won {
			c.Lines[j].Values = append(c.Lines[j].Values, won[j])
		}
	}
	return c
}

// keeps reports whether a line of a maximum number of points has one after result i of n. It
// keeps all results if they are few, evenly spaced ones otherwise, and the last.
func keeps(i, n, points int) bool {
	return n <= points || i == n-1 || (i+1)*points/n > i*points/n
}
