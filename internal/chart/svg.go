package chart

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// newCanvas returns a canvas for a .png or .svg file.
func newCanvas(file string, width, height vg.Length) (vg.CanvasWriterTo, error) {
	if filepath.Ext(file) == ".svg" {
		return &svgCanvas{Canvas: vgsvg.New(width, height)}, nil
	}
	return draw.NewFormattedCanvas(width, height, strings.TrimPrefix(filepath.Ext(file), "."))
}

// svgCanvas makes every text as wide as in the font for which it was placed. Readers that
// lack this font would otherwise draw names of curves over their lines.
type svgCanvas struct {
	*vgsvg.Canvas
	widths []vg.Length // widths of the texts, in their order
}

// FillString draws a text.
func (c *svgCanvas) FillString(face font.Face, at vg.Point, text string) {
	c.widths = append(c.widths, face.Width(text))
	c.Canvas.FillString(face, at, text)
}

// WriteTo writes the image.
func (c *svgCanvas) WriteTo(w io.Writer) (int64, error) {
	var image strings.Builder
	if _, err := c.Canvas.WriteTo(&image); err != nil {
		return 0, err
	}
	const begin = "<text "
	parts := strings.Split(
		strings.ReplaceAll(image.String(), "Liberation Serif", "Liberation Serif,Times New Roman,serif"), begin)
	if len(parts)-1 != len(c.widths) { // another version of vgsvg writes another kind of file
		return 0, fmt.Errorf("%d texts were drawn, and the SVG has %d", len(c.widths), len(parts)-1)
	}
	var sized strings.Builder
	sized.WriteString(parts[0])
	for i, part := range parts[1:] {
		fmt.Fprintf(&sized, begin+`textLength="%.5g" lengthAdjust="spacingAndGlyphs" %s`, c.widths[i].Points(), part)
	}
	n, err := io.WriteString(w, sized.String())
	return int64(n), err
}
