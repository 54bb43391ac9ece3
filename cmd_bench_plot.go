package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
)

// A legend of more than mostInside curves is beside its chart, with so much room
// for a line beside the longest name.
const (
	mostInside = 6
	lineWidth  = 1.6 * vg.Centimeter
)

// plotRows draws the curves of rows, one chart a case, in the order in which
// they come.
func plotRows(file string, rows []row) error {
	var cases []string
	for _, r := range rows {
		if !slices.Contains(cases, r.Case) {
			cases = append(cases, r.Case)
		}
	}
	if len(cases) == 0 {
		return fmt.Errorf("%s: this bench has no curves", file)
	}
	var charts []*plot.Plot
	for _, name := range cases {
		var curves []curve
		unit := ""
		for _, r := range rows {
			if r.Case != name {
				continue
			}
			unit = r.Metric + " (" + r.Unit + ")"
			of := strings.TrimPrefix(r.Variant+", "+strings.ReplaceAll(r.Device, "(R)", ""), ", ")
			if r.Threads > 0 {
				of += ", " + threads(r.Threads)
			}
			i := slices.IndexFunc(curves, func(c curve) bool { return c.name == of })
			if i < 0 {
				i = len(curves)
				curves = append(curves, curve{name: of})
			}
			curves[i].points = append(curves[i].points, plotter.XY{X: r.X, Y: r.Value})
		}
		chart, err := newChart(name, "", curves...)
		if err != nil {
			return err
		}
		chart.Y.Label.Text = unit
		if len(curves) > mostInside {
			for _, c := range curves {
				chart.Legend.XOffs = max(chart.Legend.XOffs, lineWidth+chart.Legend.TextStyle.Width(c.name))
			}
		} else {
			// Room for the legend, on a logarithmic scale: a line of it takes about a
			// twentieth of the height.
			legend := 0.05 * float64(len(curves)+1)
			chart.Y.Max *= max(1000, math.Pow(chart.Y.Max/chart.Y.Min, legend/(1-legend)))
		}
		for i, c := range curves {
			points, err := plotter.NewScatter(c.points)
			if err != nil {
				return err
			}
			points.Color = plotutil.Color(i)
			chart.Add(points) // a figure that stands alone has no line
		}
		charts = append(charts, chart)
	}
	return drawCharts(file, charts...)
}
