package main

import (
	"fmt"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/internal/chart"
	"gamebots/solvers/cfr/abstraction/buckets"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// shownBuckets is how many buckets of a round are drawn.
const shownBuckets = 5

// drawBuckets draws what some buckets of each round hold into a .png or .svg file: their centres, and for the
// first round with a board the hole cards.
func drawBuckets(file string, g *acpc.Game, t *buckets.Table) error {
	var charts []*plot.Plot
	for r, round := range t.Recipe().Rounds {
		if round.Feature != buckets.Histogram && round.Feature != buckets.OCHS {
			continue
		}
		c, err := drawCentres(t, r, round.Feature)
		if err != nil {
			return err
		}
		charts = append(charts, c)
	}
	if g.NumHoleCards == 2 && g.NumSuits > 1 {
		tables, err := drawHoleCards(g, t)
		if err != nil {
			return err
		}
		charts = append(charts, tables...)
	}
	if len(charts) == 0 {
		return fmt.Errorf("%s: there is nothing to draw, as no round has clusters", file)
	}
	return chart.Draw(file, charts...)
}

// someBuckets returns the numbers of a few buckets of a round, evenly from the weakest to the
// strongest.
func someBuckets(n int) (list []int) {
	n, last := min(n, shownBuckets), n-1
	for i := range n {
		list = append(list, i*last/max(1, n-1))
	}
	return list
}

// drawCentres draws the centres of some buckets.
func drawCentres(t *buckets.Table, round int, f buckets.Feature) (*plot.Plot, error) {
	x, y := "strength", "part of the runouts"
	if f == buckets.OCHS {
		x, y = "cluster of the opponent's hole cards", "strength"
	}
	var curves []chart.Curve
	for _, b := range someBuckets(t.Clusters(round)) {
		curve := chart.Curve{Name: fmt.Sprint("bucket ", b)}
		values := t.Centre(round, b)
		for i, v := range values {
			at := float64(i + 1)
			if f == buckets.Histogram {
				at = (float64(i) + .5) / float64(len(values))
			}
			curve.Points = append(curve.Points, plotter.XY{X: at, Y: v})
		}
		curves = append(curves, curve)
	}
	return chart.NewLines(fmt.Sprintf("round %d: %s", round+1, f), x, y, curves...)
}

// drawHoleCards draws the clusters of the opponent's hole cards, and what some buckets of the
// first round with a board hold: suited cards above the diagonal.
func drawHoleCards(g *acpc.Game, t *buckets.Table) (charts []*plot.Plot, err error) {
	var names []string
	for i := range g.NumRanks {
		names = append(names, card.New(card.NumRanks-1-i, 0).String()[:1])
	}
	add := func(title string, value func(hole card.Set) float64) {
		charts = append(charts, chart.NewTable(title, names, func(column, row int) float64 {
			first := card.New(card.NumRanks-1-row, card.NumSuits-1)
			second := card.New(card.NumRanks-1-column, card.NumSuits-1)
			if column <= row { // below the diagonal, and pairs
				second = card.New(card.NumRanks-1-column, card.NumSuits-2)
			}
			return value(first.Bit() | second.Bit())
		}))
	}
	if _, n := t.Cluster(card.SetOf(g.Deck()[:2]...)); n > 1 {
		add("clusters of hole cards, by shade", func(hole card.Set) float64 {
			cluster, of := t.Cluster(hole)
			return float64(cluster) / float64(of-1)
		})
	}
	for r, round := range t.Recipe().Rounds {
		if round.Feature != buckets.Histogram || g.BoardCards(r) == 0 {
			continue
		}
		for _, b := range someBuckets(t.Clusters(r)) {
			held, err := t.Holds(r, b)
			if err != nil {
				return nil, err
			}
			largest := 0.0
			card.Subsets(g.Deck(), 2, func(hole card.Set) { largest = max(largest, held(hole)) })
			add(fmt.Sprintf("round %d, bucket %d: hole cards, up to %.2g%%", r+1, b, 100*largest),
				func(hole card.Set) float64 {
					return held(hole) / max(largest, 1e-12)
				})
		}
		break
	}
	return charts, nil
}
