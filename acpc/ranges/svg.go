package ranges

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// The measures of a grid in SVG, in pixels.
const (
	svgCell   = 46
	svgMargin = 12
	svgTitle  = 34
	svgLegend = 36
)

// WriteSVG writes the grid as an SVG image. In each cell the width of a colour is the
// probability of its action, and its height the part of the class that is held.
func (g *Grid) WriteSVG(w io.Writer) error {
	colours := g.colours()
	width := 2*svgMargin + g.Ranks*svgCell
	height := svgTitle + g.Ranks*svgCell + svgLegend
	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" `+
		`font-family="sans-serif" font-size="13">`+"\n", width, height)
	fmt.Fprintf(&out, `<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", width, height)
	fmt.Fprintf(&out, `<text x="%d" y="22" fill="#111111">%s</text>`+"\n", svgMargin, escape(g.Title))
	for row := range g.Ranks {
		for column := range g.Ranks {
			g.writeCell(&out, colours, row, column)
		}
	}
	x, y := svgMargin, svgTitle+g.Ranks*svgCell+10
	for a, text := range g.Names {
		fmt.Fprintf(&out, `<rect x="%d" y="%d" width="14" height="14" fill="%s"/>`+
			`<text x="%d" y="%d" fill="#111111">%s</text>`+"\n",
			x, y, colours[a].svg, x+19, y+12, escape(text))
		x += 34 + 8*len(text)
	}
	out.WriteString("</svg>\n")
	_, err := io.WriteString(w, out.String())
	return err
}

func (g *Grid) writeCell(out *strings.Builder, colours []colour, row, column int) {
	c := g.at(row, column)
	x, y := float64(svgMargin+column*svgCell), float64(svgTitle+row*svgCell)
	const inside = svgCell - 1 // leaves a line between cells
	fmt.Fprintf(out, `<g><title>%s, held %.3g%%`, c.Class, 100*c.Reach)
	for a, p := range c.Probabilities {
		fmt.Fprintf(out, ", %v %.3g%%", g.Actions[a], 100*p)
	}
	fmt.Fprintf(out, `</title><rect x="%g" y="%g" width="%d" height="%[3]d" fill="%s"/>`, x, y, inside, unheld.svg)
	held := c.Reach * inside
	left := x
	for a, p := range c.Probabilities {
		if p > 0 && held > 0 {
			fmt.Fprintf(out, `<rect x="%.4g" y="%.4g" width="%.4g" height="%.4g" fill="%s"/>`,
				left, y+inside-held, p*inside, held, colours[a].svg)
		}
		left += p * inside
	}
	fmt.Fprintf(out, `<text x="%g" y="%g" text-anchor="middle" fill="#ffffff" stroke="#000000" stroke-width="2.4" `+
		`stroke-linejoin="round" paint-order="stroke">%s</text></g>`+"\n",
		x+inside/2., y+inside/2.+5, c.Class)
}

// escape makes a text safe inside of XML.
func escape(text string) string {
	var out strings.Builder
	_ = xml.EscapeText(&out, []byte(text)) // a strings.Builder does not fail
	return out.String()
}
