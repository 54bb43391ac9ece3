package chart

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// No room is left for labels beyond the ends of a logarithmic axis.
func TestLogTicks(t *testing.T) {
	var labels []string
	for _, tick := range (logTicks{}).Ticks(0.04, 2374) {
		if tick.Value < 0.04 || tick.Value > 2374 {
			t.Errorf("a tick at %v", tick.Value)
		}
		if !tick.IsMinor() {
			labels = append(labels, tick.Label)
		}
	}
	if got := strings.Join(labels, " "); got != "0.1 1 10 100 1000" {
		t.Errorf("labels %q", got)
	}
}

// A band is whole where it reaches below zero.
func TestBands(t *testing.T) {
	c := Curve{Name: "a", Points: plotter.XYs{{X: 1, Y: 40}, {X: 100, Y: 10}}}
	logarithmic, err := New("title", "iterations", c)
	if err != nil || logarithmic.Y.Min != 10 || logarithmic.Y.Max != 40 {
		t.Errorf("%v: from %v to %v, want 10 to 40", err, logarithmic.Y.Min, logarithmic.Y.Max)
	}
	c.Halves = []float64{5, 30}
	linear, err := NewLines("title", "x", "y", c)
	if err != nil || linear.Y.Min != -20 || linear.Y.Max != 45 {
		t.Errorf("%v: from %v to %v, want -20 to 45", err, linear.Y.Min, linear.Y.Max)
	}
	for _, file := range []string{"two.svg", "two.png"} {
		path := filepath.Join(t.TempDir(), file)
		if err := Draw(path, logarithmic, linear, linear, linear); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("%s: nothing was drawn: %v", file, err)
		}
	}
}

// An SVG file with other texts than those that were drawn is an error.
func TestSVGOtherTexts(t *testing.T) {
	p, err := New("title", "iterations", Curve{Name: "a", Points: plotter.XYs{{X: 1, Y: 40}, {X: 100, Y: 10}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range []func(widths []vg.Length) []vg.Length{
		func(widths []vg.Length) []vg.Length { return widths[1:] },
		func(widths []vg.Length) []vg.Length { return append(widths, 1) },
	} {
		c := &svgCanvas{Canvas: vgsvg.New(100, 100)}
		p.Draw(draw.New(c))
		c.widths = change(c.widths)
		if n, err := c.WriteTo(io.Discard); n != 0 || err == nil {
			t.Errorf("%d bytes, %v", n, err)
		}
	}
}

// Every text of an SVG file has the width for which it was placed, so that names of curves do
// not run into their lines in other fonts.
func TestSVGTextWidths(t *testing.T) {
	p, err := New("a <text & more", "iterations",
		Curve{Name: "external", Points: plotter.XYs{{X: 1, Y: 40}, {X: 100, Y: 10}}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "x.svg")
	if err := Draw(file, p); err != nil {
		t.Fatal(err)
	}
	image, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	texts := strings.Count(string(image), "</text>")
	if sized := strings.Count(string(image), "textLength="); texts < 5 || sized != texts {
		t.Errorf("%d of %d texts have a width", sized, texts)
	}
	if fonts := strings.Count(string(image), "Liberation Serif,Times New Roman,serif"); fonts != texts {
		t.Errorf("%d of %d texts have fonts to fall back on", fonts, texts)
	}
	width := p.Legend.TextStyle.Width("external").Points()
	if want := fmt.Sprintf(`textLength="%.5g"`,
		width); !regexp.MustCompile(want + `[^>]*>external</text>`).Match(image) {
		t.Errorf("no %s of the curve's name in\n%s", want, image)
	}
}
