package demo

import (
	"fmt"

	"gonum.org/v1/plot/plotter"
)

// tellPlan says what a training is about to do.
func (d *demo) tellPlan() {
	fmt.Fprintf(d.Story, `1. Train: %d iterations of CFR+ for each game

   What a perfect opponent wins from a strategy, its exploitability, falls.
   It is in mb: thousandths of the largest blind, or of the ante, a hand.

`, iterations)
}

// tellTrainings prints the table of trainings, with a few of their evaluations. All are made after the same numbers
// of iterations.
func (d *demo) tellTrainings() {
	const columns = 5 // evenly spaced points of a logarithmic scale
	point := func(t training, i int) plotter.XY { return t.curve[i*(len(t.curve)-1)/(columns-1)] }
	fmt.Fprintf(d.Story, "   %-5s  %16s", "game", "information sets")
	var widths [columns]int
	for i := range columns {
		n, _ := fmt.Fprintf(d.Story, "  after %.0f", point(d.trainings[0], i).X)
		widths[i] = n
	}
	for _, t := range d.trainings {
		fmt.Fprintf(d.Story, "\n   %-5s  %16d", t.game, t.infoSets)
		for i := range columns {
			fmt.Fprintf(d.Story, "%*.4g", widths[i], point(t, i).Y)
		}
	}
	fmt.Fprintln(d.Story)
}

// row is the format of the table of matches.
const row = "   %-17s  %-7s  %-8s  %s\n"

// tellMatches begins the table of matches.
func (d *demo) tellMatches() {
	fmt.Fprintf(d.Story, `
2. Play: a dealer and two bots, which are three programs, talk over TCP

   Every deal is played twice, with the seats exchanged: %d hands a match.

`, 2*d.Deals)
	fmt.Fprintf(d.Story, row, "game", "bot", "opponent", "mb a hand (95%)")
}
