package bench

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gamebots/internal/chart"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// benchChart is a chart of the curves of one case and metric.
type benchChart struct {
	name, unit string
	against    string // the quantity on the X axis
	curves     []chart.Curve
}

// measured returns the metric of a row with its unit.
func (r Row) measured() string {
	switch {
	case r.Unit == "" || r.Unit == "x":
		return r.Metric
	case strings.HasPrefix(r.Unit, "/"):
		return r.Metric + r.Unit
	}
	return r.Metric + " (" + r.Unit + ")"
}

// against returns the quantity that X counts in a row, and the rest of the row's case.
func (r Row) against() (x, rest string) {
	at := strings.LastIndex(r.Case, ", ")
	switch {
	case r.Bench == "nash":
		return "strategies of a player", r.Case
	case at < 0:
		return "", r.Case
	}
	return r.Case[at+2:], r.Case[:at]
}

// chartsOf groups rows into charts, in their order. Points are in the order of X, so that no
// line runs back.
func chartsOf(rows []Row) []benchChart {
	var charts []benchChart
	for _, r := range rows {
		if r.Value <= 0 {
			continue // not on a logarithmic scale
		}
		unit := r.measured()
		x, name := r.against()
		at := slices.IndexFunc(charts, func(c benchChart) bool {
			return c.name == name && c.against == x && c.unit == unit
		})
		if at < 0 {
			at = len(charts)
			charts = append(charts, benchChart{name: name, against: x, unit: unit})
		}
		c := &charts[at]
		of := strings.TrimPrefix(r.Variant+", "+strings.ReplaceAll(r.Device, "(R)", ""), ", ")
		if r.Threads > 0 {
			of += ", " + threads(r.Threads)
		}
		i := slices.IndexFunc(c.curves, func(c chart.Curve) bool { return c.Name == of })
		if i < 0 {
			i = len(c.curves)
			c.curves = append(c.curves, chart.Curve{Name: of})
		}
		c.curves[i].Points = append(c.curves[i].Points, plotter.XY{X: r.X, Y: r.Value})
	}
	for _, c := range charts {
		for _, curve := range c.curves {
			slices.SortStableFunc(curve.Points, func(a, b plotter.XY) int { return cmp.Compare(a.X, b.X) })
		}
	}
	return charts
}

// Plot draws the curves of rows into a file. A chart without a line is left out.
func Plot(file string, rows []Row) error {
	figures := slices.DeleteFunc(chartsOf(rows), func(c benchChart) bool {
		return !slices.ContainsFunc(c.curves, func(c chart.Curve) bool { return len(c.Points) > 1 })
	})
	if len(figures) == 0 {
		return fmt.Errorf("%s: no curves to draw", file)
	}
	var charts []*plot.Plot
	for _, c := range figures {
		figure, err := chart.New(c.name, c.against, c.curves...)
		if err != nil {
			return err
		}
		figure.Y.Label.Text = c.unit
		// A line of a legend inside the chart takes about a fourteenth of the height.
		legend := 0.07 * float64(len(c.curves)+1)
		if figure.Legend.XOffs > 0 { // beside it
			legend = 0
		}
		more := legend / (1 - legend)
		if figure.Y.Max > 10*figure.Y.Min {
			figure.Y.Max *= math.Pow(figure.Y.Max/figure.Y.Min, more)
		} else { // a logarithmic scale would have no ticks
			figure.Y.Scale, figure.Y.Tick.Marker = plot.LinearScale{}, plot.DefaultTicks{}
			figure.Y.Min = 0
			figure.Y.Max *= 1 + more
		}
		for i, c := range c.curves {
			points, err := plotter.NewScatter(c.Points)
			if err != nil {
				return err
			}
			points.Color = chart.Color(i)
			figure.Add(points) // a single point has no line
		}
		charts = append(charts, figure)
	}
	return chart.Draw(file, charts...)
}
