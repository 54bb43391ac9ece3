package main

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
)

// curve is a line of a chart.
type curve struct {
	name   string
	points plotter.XYs // all over 0
}

// saveConvergence draws exploitability against iterations, both on logarithmic
// scales, into files of the formats that their names end in.
func saveConvergence(curves []curve, files ...string) error {
	p := plot.New()
	p.Title.Text = "Convergence"
	p.X.Label.Text = "iterations"
	p.Y.Label.Text = "exploitability (mb a hand)"
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogTicks{Prec: -1}, plot.LogTicks{Prec: -1}
	p.Legend.Top = true
	p.Legend.Padding = vg.Points(2)
	p.Add(plotter.NewGrid())
	for i, c := range curves {
		line, err := plotter.NewLine(c.points)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		line.Color = plotutil.Color(i)
		line.Width = vg.Points(1.5)
		p.Add(line)
		p.Legend.Add(c.name, line)
	}
	for _, file := range files {
		if err := p.Save(16*vg.Centimeter, 10*vg.Centimeter, file); err != nil {
			return err
		}
	}
	return nil
}
