package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gamebots/acpc/money"
	"gamebots/bots/arena"
	"gamebots/bots/arena/ratings"
	"gamebots/bots/arena/store"
	"gamebots/internal/chart"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// drawRun draws the results of a run into a .png or .svg file: the winnings of each player, deal by deal or
// opening by opening, and the ranking, both with 95% intervals. A run without results is an error.
func drawRun(ctx context.Context, db *store.Store, run *arena.Run, output string) error {
	if run.Stored == 0 {
		return fmt.Errorf("run %s has no results yet", run.Plan.Name)
	}
	won, err := ratings.WinningsOf(ctx, db, run)
	if err != nil {
		return err
	}
	tallies, err := db.Tallies(ctx, run)
	if err != nil {
		return err
	}
	standings, order, err := standingsChart(run.Plan, arena.Sum(run, tallies))
	if err != nil {
		return err
	}
	winnings, err := winningsChart(run.Plan, won, order)
	if err != nil {
		return err
	}
	return chart.Draw(output, winnings, standings)
}

// maxPoints is the maximum number of points of a line. A picture cannot show more.
const maxPoints = 300

// winningsChart draws cumulative winnings with their bands, in the order and colours of the
// ranking.
func winningsChart(p *arena.Plan, won []ratings.Winnings, order []int) (*plot.Plot, error) {
	x, y := "deals", "won (largest blinds)"
	if p.Kind == arena.Board {
		x, y = "openings", "points over half of all"
	}
	var curves []chart.Curve
	for _, player := range order {
		c := chart.Curve{Name: p.Players[player].Name}
		for _, x := range append([]ratings.Point{{}}, won[player].Points(maxPoints)...) {
			c.Add(float64(x.Deals), x.Won, x.Interval95)
		}
		curves = append(curves, c)
	}
	figure, err := chart.NewLines(p.Name+": "+p.Game, x, y, curves...)
	if err != nil {
		return nil, err
	}
	figure.Legend.Left, figure.Legend.XOffs = true, vg.Points(6)
	return figure, nil
}

// standing is a player's place in a chart.
type standing struct {
	player     int
	value, err float64
}

// standingsChart draws the ranking, best on top. It also returns the players in this order.
func standingsChart(p *arena.Plan, sums []arena.Tally) (*plot.Plot, []int, error) {
	var list []standing
	label := "won (mb a hand)"
	if p.Kind == arena.Board {
		label = "Elo"
		rated, err := ratings.Rate(len(p.Players), ratings.EncountersOf(p, sums))
		if err != nil {
			return nil, nil, err
		}
		for i := range p.Players {
			list = append(list, standing{i, rated.Elo[i], rated.Interval95(i)})
		}
	} else {
		game, err := p.Acpc()
		if err != nil {
			return nil, nil, err
		}
		league, err := ratings.LeagueOf(p, sums, money.UsualIn(game))
		if err != nil {
			return nil, nil, err
		}
		for i, roll := range league.Bankrolls() {
			if !math.IsNaN(roll.Won) {
				list = append(list, standing{i, roll.Won, roll.Interval95})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b standing) int { return cmp.Compare(b.value, a.value) })
	figure := plot.New()
	figure.Title.Text = "95% intervals"
	figure.X.Label.Text = label
	figure.Add(plotter.NewGrid())
	names := make([]string, len(list))
	var order []int
	for i, s := range list {
		y := float64(len(list) - 1 - i)
		names[len(list)-1-i] = p.Players[s.player].Name
		order = append(order, s.player)
		at := errorPoint{plotter.XYs{{X: s.value, Y: y}}, plotter.XErrors{{Low: -s.err, High: s.err}}}
		bars, err := plotter.NewXErrorBars(at)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", p.Players[s.player].Name, err)
		}
		bars.Color, bars.Width, bars.CapWidth = chart.Color(i), vg.Points(1.5), vg.Points(8)
		dot, err := plotter.NewScatter(at)
		if err != nil {
			return nil, nil, err
		}
		dot.Color, dot.Shape, dot.Radius = chart.Color(i), draw.CircleGlyph{}, vg.Points(3.5)
		figure.Add(bars, dot)
	}
	figure.NominalY(names...)
	figure.X.Tick.Marker = plot.TickerFunc(shortTicks)
	margin := (figure.X.Max - figure.X.Min) / 30 // for the ends of the bars
	figure.X.Min, figure.X.Max = figure.X.Min-margin, figure.X.Max+margin
	figure.Y.Min, figure.Y.Max = -0.5, float64(len(list))-0.5
	return figure, order, nil
}

// shortTicks returns the default ticks with at most six significant digits in a label.
func shortTicks(low, high float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(low, high)
	for i, t := range ticks {
		if !t.IsMinor() {
			ticks[i].Label = strconv.FormatFloat(t.Value, 'g', 6, 64)
		}
	}
	return ticks
}

// errorPoint is a point with its error bar.
type errorPoint struct {
	plotter.XYs
	plotter.XErrors
}
