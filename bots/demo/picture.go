package demo

import (
	"gamebots/internal/chart"
	"gamebots/internal/stats"

	"gonum.org/v1/plot/vg"
)

// draw draws the winnings of the Leduc strategy and the trainings.
func (d *demo) draw(file string) error {
	var won []chart.Curve
	for _, m := range d.matches {
		if m.game == d.trainings[0].game {
			won = append(won, winningsCurve("against "+m.opponent, m.deals))
		}
	}
	const x, y = "deals, each from both seats", "won (antes a seat)"
	left, err := chart.NewLines("leduc: winnings of the strategy", x, y, won...)
	if err != nil {
		return err
	}
	left.Legend.Left, left.Legend.XOffs = true, vg.Points(6)
	var trained []chart.Curve
	for _, t := range d.trainings {
		trained = append(trained, chart.Curve{Name: t.game, Points: t.curve})
	}
	right, err := chart.New("trained by CFR+", "iterations", trained...)
	if err != nil {
		return err
	}
	right.Legend.Top, right.Legend.Left = false, true
	right.Legend.XOffs, right.Legend.YOffs = vg.Points(6), vg.Points(6)
	return chart.Draw(file, left, right)
}

// winningsCurve returns the running sum of winnings in mb, in antes, with its 95% intervals.
func winningsCurve(name string, deals []float64) chart.Curve {
	c := chart.Curve{Name: name}
	c.Add(0, 0, 0)
	var t stats.Sample
	for _, x := range deals {
		t.Add(x / 1000)
		if n := float64(t.N); t.N > 1 {
			c.Add(n, n*t.Mean(), n*t.Interval95())
		}
	}
	return c
}
