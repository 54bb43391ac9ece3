package chart

import (
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gamebots/internal/atomicfile"
	"gamebots/internal/usererr"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Curve is a named line of a chart.
type Curve struct {
	Name   string
	Points plotter.XYs
	// Halves, if not nil, has half of the interval around each point, which is drawn as a band.
	Halves []float64
}

// Add adds a point, with half of the interval around it.
func (c *Curve) Add(x, y, half float64) {
	c.Points, c.Halves = append(c.Points, plotter.XY{X: x, Y: y}), append(c.Halves, half)
}

// New returns a chart of exploitability against the quantity of the x axis. Scales are
// logarithmic, except for an x axis that spans less than a factor of 20, so that coordinates
// are positive, and there are no intervals.
func New(title, against string, curves ...Curve) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = title
	p.X.Label.Text = against
	p.Y.Label.Text = "exploitability (mb a hand)"
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, logTicks{}
	p.Add(plotter.NewGrid())
	if err := addCurves(p, curves); err != nil {
		return nil, err
	}
	if p.X.Max > 20*p.X.Min {
		LogX(p)
	}
	return p, nil
}

// logTicks are the powers of ten within an axis. Those of plot.LogTicks may lie outside, where nothing draws them, but
// room is left for their labels.
type logTicks struct{}

func (logTicks) Ticks(least, most float64) []plot.Tick {
	return slices.DeleteFunc(plot.LogTicks{Prec: -1}.Ticks(least, most), func(t plot.Tick) bool {
		return t.Value < least || t.Value > most
	})
}

// LogX makes the scale of the x axis logarithmic.
func LogX(p *plot.Plot) { p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, logTicks{} }

// Progress is an evaluation during a training.
type Progress struct {
	Iterations, Seconds, Exploitability float64
}

// NewTraining returns charts of the course of a training by an algorithm: of exploitability against iterations and
// against seconds, in mb or in payoffs, which have the unit "". Points that do not fit on logarithmic scales are left
// out.
func NewTraining(title, unit, algorithm string, points []Progress) ([]*plot.Plot, error) {
	chart := func(against string, x func(Progress) float64) (*plot.Plot, error) {
		c := Curve{Name: algorithm}
		for _, p := range points {
			if p.Exploitability > 0 && x(p) > 0 {
				c.Points = append(c.Points, plotter.XY{X: x(p), Y: p.Exploitability})
			}
		}
		if c.Points == nil {
			return New(title, against)
		}
		return New(title, against, c)
	}
	byIterations, err := chart("iterations", func(p Progress) float64 { return p.Iterations })
	if err != nil {
		return nil, err
	}
	byTime, err := chart("seconds", func(p Progress) float64 { return p.Seconds })
	if err != nil {
		return nil, err
	}
	if unit == "" {
		byIterations.Y.Label.Text, byTime.Y.Label.Text = "exploitability", "exploitability"
	}
	return []*plot.Plot{byIterations, byTime}, nil
}

// addCurves adds curves to a chart, and their legend.
func addCurves(p *plot.Plot, curves []Curve) error {
	p.Legend.Top = true
	p.Legend.XOffs, p.Legend.YOffs = -vg.Points(6), -vg.Points(6)
	p.Legend.Padding = vg.Points(2)
	for i, c := range curves { // below all lines
		if c.Halves == nil {
			continue
		}
		var edge, lower plotter.XYs
		for k, at := range c.Points {
			edge = append(edge, plotter.XY{X: at.X, Y: at.Y + c.Halves[k]})
			lower = append(lower, plotter.XY{X: at.X, Y: at.Y - c.Halves[k]})
		}
		slices.Reverse(lower)
		band, err := plotter.NewPolygon(append(edge, lower...))
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		r, g, b, _ := Color(i).RGBA()
		band.Color, band.LineStyle.Width = color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 40}, 0
		p.Add(band)
	}
	for i, c := range curves {
		line, err := plotter.NewLine(c.Points)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		line.Color = Color(i)
		line.Dashes = plotutil.Dashes(i / len(colors)) // when colors repeat
		line.Width = vg.Points(1.5)
		p.Add(line)
		p.Legend.Add(c.Name, line)
	}
	return nil
}

// colors are those of curves: the soft ones of gonum's plotutil, with a grey in place of its
// second red.
var colors = func() []color.Color {
	all := slices.Clone(plotutil.SoftColors)
	all[5] = color.Gray{90}
	return all
}()

// Color returns the colour of the i-th curve of a chart. Colours repeat.
func Color(i int) color.Color { return colors[i%len(colors)] }

// Drawable returns an error if neither a chart nor a file of other extensions can be written to the file of a flag, so
// that a command fails before its work and not after. "" is no chart.
func Drawable(flag, file string, others ...string) error {
	if file == "" {
		return nil
	}
	if kinds := append(others, ".png", ".svg"); !slices.Contains(kinds, filepath.Ext(file)) {
		return usererr.Usagef("%s: %s is not a %s file", flag, file, strings.Join(kinds, " or "))
	}
	if info, err := os.Stat(filepath.Dir(file)); err != nil || !info.IsDir() {
		return usererr.WithHint(fmt.Errorf("%s: there is no folder %s", flag, filepath.Dir(file)),
			"mkdir -p "+filepath.Dir(file)+" makes it")
	}
	return nil
}

// Draw writes charts, in rows of up to three, to a .png or .svg file.
func Draw(file string, charts ...*plot.Plot) error {
	rows := slices.Collect(slices.Chunk(charts, min(len(charts), 3)))
	width, height := 16*vg.Centimeter, 10*vg.Centimeter
	columns, last := len(rows[0]), len(rows)-1
	rows[last] = append(slices.Clone(rows[last]), make([]*plot.Plot, columns-len(rows[last]))...)
	canvas, err := newCanvas(file, width*vg.Length(columns), height*vg.Length(len(rows)))
	if err != nil {
		return err
	}
	tiles := draw.Tiles{Rows: len(rows), Cols: columns, PadX: vg.Centimeter, PadY: vg.Centimeter,
		PadTop: vg.Centimeter / 4, PadRight: vg.Centimeter / 2}
	for i, row := range plot.Align(rows, tiles, draw.New(canvas)) {
		for j, c := range row {
			if p := rows[i][j]; p != nil {
				p.Draw(c)
			}
		}
	}
	var image strings.Builder
	if _, err := canvas.WriteTo(&image); err != nil {
		return err
	}
	return atomicfile.Write(file, []byte(image.String()))
}

// NewLines returns a chart with linear scales.
func NewLines(title, x, y string, curves ...Curve) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Add(plotter.NewGrid())
	return p, addCurves(p, curves)
}
