package main

import (
	"fmt"

	"gamebots/acpc"
	"gamebots/internal/chart"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/checkpoint"

	"gonum.org/v1/plot/plotter"
)

// saveTraining draws the curve of one training, against iterations and time.
func saveTraining(g *acpc.Game, m checkpoint.Meta, file string) error {
	byIterations, byTime := chart.Curve{Name: m.Algorithm}, chart.Curve{Name: m.Algorithm}
	mb := 1000 / float64(g.MaxBlind())
	for _, p := range m.Curve {
		if p.Exploitability > 0 && p.Seconds > 0 && p.Iterations > 0 { // the scales are logarithmic
			byIterations.Points = append(byIterations.Points, plotter.XY{X: float64(p.Iterations), Y: mb * p.Exploitability})
			byTime.Points = append(byTime.Points, plotter.XY{X: p.Seconds, Y: mb * p.Exploitability})
		}
	}
	if len(byTime.Points) < 2 {
		return usererr.WithHint(fmt.Errorf("%s: nothing to draw: the strategy was evaluated %d times", file, len(byTime.Points)), "train longer, or a game whose strategies can be evaluated")
	}
	left, err := chart.New(g.Name, "iterations", byIterations)
	if err != nil {
		return err
	}
	right, err := chart.New(g.Name, "seconds", byTime)
	if err != nil {
		return err
	}
	return chart.Draw(file, left, right)
}
