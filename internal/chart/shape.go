package chart

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// NewLines returns a chart with linear scales.
func NewLines(title, x, y string, curves ...Curve) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Add(plotter.NewGrid())
	return p, addCurves(p, curves, func(plotter.XY) float64 { return math.Inf(-1) })
}

// NewTable returns a chart of a table of values from 0 to 1, the larger the darker, with
// the same names for its columns and its rows. The first row is the upper one.
func NewTable(title string, names []string, value func(column, row int) float64) *plot.Plot {
	p := plot.New()
	p.Title.Text = title
	cells := table{len(names), value}
	heat := plotter.NewHeatMap(cells, greys{})
	heat.Min, heat.Max = 0, 1
	p.Add(heat)
	var columns, rows plot.ConstantTicks
	for i, name := range names {
		columns = append(columns, plot.Tick{Value: cells.X(i), Label: name})
		rows = append(rows, plot.Tick{Value: cells.Y(len(names) - 1 - i), Label: name})
	}
	p.X.Tick.Marker, p.Y.Tick.Marker = columns, rows
	return p
}

// table is the grid of a heat map, whose rows count from below.
type table struct {
	n     int
	value func(column, row int) float64
}

func (t table) Dims() (columns, rows int) { return t.n, t.n }
func (t table) Z(column, row int) float64 { return t.value(column, t.n-1-row) }
func (t table) X(column int) float64      { return float64(column) }
func (t table) Y(row int) float64         { return float64(row) }

// greys are the colours of a table.
type greys struct{}

func (greys) Colors() (all []color.Color) {
	for i := range 64 {
		y := uint8(250 - 3*i)
		all = append(all, color.RGBA{y, y, uint8(min(255, int(y)+20)), 255})
	}
	return all
}
