package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"gamebots/cmd/gamebots/internal/figures"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/chart"
	"gamebots/internal/stats"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// tellPlan says what a training is about to do.
func (d *demo) tellPlan() {
	fmt.Fprintf(d.story, `1. Train: %d iterations of CFR+ for each game

   What a perfect opponent wins from a strategy, its exploitability, falls.
   It is in mb: thousandths of the largest blind, or of the ante, a hand.

`, demoIterations)
}

// tellTrainings prints the table of trainings, with a few of their evaluations. All are made after the same
// numbers of iterations.
func (d *demo) tellTrainings() {
	const columns = 5 // evenly spaced points of a logarithmic scale
	point := func(t demoTraining, i int) demoPoint { return t.curve[i*(len(t.curve)-1)/(columns-1)] }
	fmt.Fprintf(d.story, "   %-5s  %16s", "game", "information sets")
	var widths [columns]int
	for i := range columns {
		n, _ := fmt.Fprintf(d.story, "  after %d", point(d.Trainings[0], i).iterations)
		widths[i] = n
	}
	for _, t := range d.Trainings {
		fmt.Fprintf(d.story, "\n   %-5s  %16d", t.Game, t.InfoSets)
		for i := range columns {
			fmt.Fprintf(d.story, "%*.4g", widths[i], point(t, i).exploitability)
		}
	}
	fmt.Fprintln(d.story)
}

// demoRow is the format of the table of matches.
const demoRow = "   %-17s  %-7s  %-8s  %-15s  %s\n"

// tellMatches begins the table of matches.
func (d *demo) tellMatches() {
	fmt.Fprintf(d.story, `
2. Play: a dealer and two bots, which are three programs, talk over TCP

   Every deal is played twice, with the seats exchanged: %d hands a match.

`, 2*d.hands)
	fmt.Fprintf(d.story, demoRow, "game", "bot", "opponent", "mb a hand (95%)", "won, deal by deal")
}

// tellMatch adds a line to the table of matches.
func (d *demo) tellMatch(m demoMatch) {
	won := fmt.Sprintf("%+.0f %s", m.Won, figures.PlusMinus(m.Interval, 0))
	fmt.Fprintf(d.story, demoRow, m.Game, m.Bot, m.Opponent, won, sparkline(m.deals, 24))
}

// sparkline draws the running sum of xs, from 0 on, in a line of text.
func sparkline(xs []float64, width int) string {
	width = min(width, len(xs))
	sums, sum := []float64{0}, 0.0
	for _, x := range xs {
		sum += x
		sums = append(sums, sum)
	}
	low, high := slices.Min(sums), slices.Max(sums)
	levels := []rune("▁▂▃▄▅▆▇█")
	var line strings.Builder
	for i := range width {
		level := 0
		if high > low {
			at := sums[(i+1)*len(xs)/width]
			level = int((at - low) / (high - low) * float64(len(levels)-1))
		}
		line.WriteRune(levels[level])
	}
	return line.String()
}

// tellEnd says what there is now, and what to do next.
func (d *demo) tellEnd() error {
	program, strategy := cli.Quoted(os.Args[0]), cli.Quoted(d.Trainings[0].File)
	_, err := fmt.Fprintf(d.story, `
3. Look: %s has the winnings and the trainings as curves.
   Strategies and the dealer's logs are beside it.

What next, from this folder?

   %[2]s play poker leduc --against %[3]s
      play against the strategy that was just trained
   %[2]s show %[3]s --at cr
      see what it does with each hand after a check and a bet
   %[2]s serve
      play Havannah, Nim and poker in a browser: open http://127.0.0.1:8080
`, d.Pictures[0], program, strategy)
	return err
}

// draw draws the winnings of the Leduc strategy and the trainings.
func (d *demo) draw(file string) error {
	var won []chart.Curve
	for _, m := range d.Matches {
		if m.Game == d.Trainings[0].Game {
			won = append(won, winningsCurve("against "+m.Opponent, m.deals))
		}
	}
	const x, y = "deals, each from both seats", "won (antes a seat)"
	left, err := chart.NewLines("leduc: winnings of the strategy", x, y, won...)
	if err != nil {
		return err
	}
	left.Legend.Left, left.Legend.XOffs = true, vg.Points(6)
	var trained []chart.Curve
	for _, t := range d.Trainings {
		c := chart.Curve{Name: t.Game}
		for _, p := range t.curve {
			c.Points = append(c.Points, plotter.XY{X: float64(p.iterations), Y: p.exploitability})
		}
		trained = append(trained, c)
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
	c := chart.Curve{Name: name, Points: plotter.XYs{{}}, Halves: []float64{0}}
	every := max(1, len(deals)/maxChartPoints)
	var t stats.Sample
	for _, x := range deals {
		t.Add(x / 1000)
		if n := float64(t.N); t.N > 1 && (t.N%every == 0 || t.N == len(deals)) {
			c.Points = append(c.Points, plotter.XY{X: n, Y: n * t.Mean()})
			c.Halves = append(c.Halves, n*t.Interval95())
		}
	}
	return c
}
