package havannah

import (
	"bytes"
	"fmt"
	"math"
	"strings"
)

// Heat colours the empty cells of a drawing: by cell, a number from 0 (cold) to 1
// (hot), or NaN for none. A nil Heat colours nothing.
type Heat []float64

func (h Heat) at(cell int) float64 {
	if h == nil {
		return math.NaN()
	}
	return min(max(h[cell], 0), 1)
}

// Text returns the board as text: O is white, X is black, with the last move in
// brackets. An empty cell is a dot, or a digit for its heat. The letters of rows are on
// the left. The numbers of columns are where each column begins: above the first row,
// and at the right of the others.
func (b *Board) Text(heat Heat) string {
	g := b.grid
	const margin = 3
	// Cells of a row are two characters apart, rows are shifted by one.
	x := func(row, col int) int { return margin + 2*col - row + g.Side - 1 }
	canvas := make([][]byte, g.Rows()+2)
	for i := range canvas {
		canvas[i] = bytes.Repeat([]byte{' '}, x(g.Side-1, g.Rows()-1)+4)
	}
	put := func(row, x int, text string) { copy(canvas[row+2][x:], text) }
	for col := range g.Rows() {
		above := max(-1, col-g.Side) // the row
		switch label := fmt.Sprint(col + 1); {
		case above >= 0:
			put(above, x(above, col)+1, label)
		case len(label) == 2:
			put(-2, x(-1, col), label[:1])
			fallthrough
		default:
			put(-1, x(-1, col), label[len(label)-1:])
		}
	}
	for row := range g.Rows() {
		put(row, x(row, g.FirstCol(row))-margin, string(rune('a'+row)))
	}
	last := b.lastStone()
	for cell := range g.NumCells {
		row, col := g.Row(cell), g.Col(cell)
		if cell == last {
			put(row, x(row, col)-1, "( )")
		}
		put(row, x(row, col), b.mark(cell, heat.at(cell)))
	}
	var text strings.Builder
	for _, line := range canvas {
		if line = bytes.TrimRight(line, " "); len(line) > 0 {
			text.Write(append(line, '\n'))
		}
	}
	return text.String()
}

func (b *Board) mark(cell int, heat float64) string {
	switch {
	case b.stones[cell] == White:
		return "O"
	case b.stones[cell] == Black:
		return "X"
	case math.IsNaN(heat):
		return "."
	}
	return fmt.Sprint(min(9, int(10*heat)))
}

// lastStone returns the cell of the last stone, or -1.
func (b *Board) lastStone() int {
	for i := int(b.played) - 1; i >= 0; i-- {
		if m := b.moves[i].move; m != Swap {
			return int(m)
		}
	}
	return -1
}

// SVG returns the board as an SVG image: hexagons with their names as tooltips, stones,
// a dot on the last stone and a rim around those of a winning structure. Heat goes from
// blue over white to red. The same board gives the same bytes.
func (b *Board) SVG(heat Heat) string {
	g := b.grid
	const unit = 20.0 // half the width of a cell
	pitch := unit * math.Sqrt(3)
	centre := func(row, col int) (x, y float64) {
		return unit * float64(2*col-row+g.Side+1), pitch*float64(row) + 2*unit
	}
	var svg strings.Builder
	width := unit * float64(4*g.Side)
	height := pitch*float64(g.Rows()-1) + 4*unit
	fmt.Fprintf(&svg, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.1f" `+
		`font-family="sans-serif" font-size="%.0f" text-anchor="middle">`+"\n",
		width, height, unit*0.7)
	winning := map[int]bool{}
	for _, cell := range b.WinningCells() {
		winning[cell] = true
	}
	last := b.lastStone()
	for cell := range g.NumCells {
		x, y := centre(g.Row(cell), g.Col(cell))
		fmt.Fprintf(&svg, `<g><title>%s</title><polygon fill="%s" stroke="#777" points="`,
			g.Format(Move(cell)), b.colour(cell, heat.at(cell)))
		for corner := range 6 {
			sin, cos := math.Sincos(math.Pi / 6 * float64(2*corner+1))
			fmt.Fprintf(&svg, "%.1f,%.1f ", x+cos*unit*2/math.Sqrt(3), y+sin*unit*2/math.Sqrt(3))
		}
		svg.WriteString(`"/>`)
		if c := b.stones[cell]; c != NoColour {
			rim := `stroke="#222"`
			if winning[cell] {
				rim = `stroke="#e60" stroke-width="4"`
			}
			fmt.Fprintf(&svg, `<circle cx="%.1f" cy="%.1f" r="%.1f" fill="%s" %s/>`, x, y, unit*0.75, stoneFill[c], rim)
		}
		if cell == last {
			fmt.Fprintf(&svg, `<circle cx="%.1f" cy="%.1f" r="%.1f" fill="#e60"/>`, x, y, unit*0.2)
		}
		svg.WriteString("</g>\n")
	}
	for row := range g.Rows() {
		x, y := centre(row, g.FirstCol(row)-1)
		fmt.Fprintf(&svg, `<text x="%.1f" y="%.1f">%c</text>`+"\n", x+unit*0.5, y+unit*0.25, 'a'+row)
	}
	for col := range g.Rows() {
		x, y := centre(max(-1, col-g.Side), col)
		fmt.Fprintf(&svg, `<text x="%.1f" y="%.1f">%d</text>`+"\n", x-unit*0.25, y+unit*0.7, col+1)
	}
	svg.WriteString("</svg>\n")
	return svg.String()
}

var stoneFill = [...]string{White: "#fff", Black: "#222"}

// colour returns the fill of a cell.
func (b *Board) colour(cell int, heat float64) string {
	if b.stones[cell] != NoColour || math.IsNaN(heat) {
		return "#e8d9b8"
	}
	cold, hot := uint8(255*min(1, 2*heat)), uint8(255*min(1, 2-2*heat))
	return fmt.Sprintf("#%02x%02x%02x", cold, min(cold, hot), hot)
}
