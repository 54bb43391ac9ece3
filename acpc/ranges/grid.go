package ranges

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/card"
)

// Grid is a table of the classes of hole cards: how often each is held at a point of the
// game, and how often it then plays each action.
type Grid struct {
	Title   string        `json:"title"`
	Ranks   int           `json:"ranks"` // rows and columns, from the ace down
	Actions []acpc.Action `json:"-"`
	Names   []string      `json:"-"` // names of the actions, for people
	// Cells are row by row.
	Cells []Cell `json:"cells"`
}

// Cell is a class of a Grid. All its values are means over its hands.
type Cell struct {
	Class string  `json:"class"`
	Reach float64 `json:"reach"` // from 0 to 1
	// Probabilities are by action; nil if no hand of the class is held.
	Probabilities []float64 `json:"probabilities"`
}

// Fill sets the cells. hands calls add for all hole cards that may be held, each once, with
// their reach and the probabilities of the actions.
func (g *Grid) Fill(hands func(add func(hole card.Set, reach float64, probabilities []float64))) {
	g.Cells = make([]Cell, g.Ranks*g.Ranks)
	count := make([]float64, len(g.Cells))
	for i := range g.Cells {
		g.Cells[i].Class = ClassAt(i/g.Ranks, i%g.Ranks).String()
	}
	hands(func(hole card.Set, reach float64, probabilities []float64) {
		cards := slices.Collect(hole.All())
		class := ClassOf(cards[0], cards[1])
		i := class.Row()*g.Ranks + class.Column()
		cell := &g.Cells[i]
		count[i]++
		cell.Reach += reach
		if reach == 0 {
			return
		}
		if cell.Probabilities == nil {
			cell.Probabilities = make([]float64, len(g.Actions))
		}
		for a, p := range probabilities {
			cell.Probabilities[a] += reach * p
		}
	})
	for i := range g.Cells {
		cell := &g.Cells[i]
		for a := range cell.Probabilities {
			cell.Probabilities[a] /= cell.Reach
		}
		cell.Reach /= max(1, count[i])
	}
}

// at returns the cell of a row and a column.
func (g *Grid) at(row, column int) *Cell { return &g.Cells[row*g.Ranks+column] }

// shares divides n columns of a cell between its actions: as many for each as its
// probability, of those that its reach leaves coloured. Rest is for the hands that are not
// held.
func (c *Cell) shares(n int) (columns []int, rest int) {
	columns = make([]int, len(c.Probabilities))
	if c.Reach == 0 {
		return columns, n
	}
	coloured := max(1, math.Round(c.Reach*float64(n)))
	sum, done := 0.0, 0
	for a, p := range c.Probabilities {
		sum += p
		to := int(math.Round(sum * coloured))
		columns[a], done = to-done, to
	}
	return columns, n - done
}

// colour is the colour of an action on a terminal of 256 colours, and in SVG. White text
// can be read on each.
type colour struct {
	terminal int
	svg      string
}

var (
	unheld  = colour{238, "#e4e4e4"}
	foldHue = colour{25, "#2f6db3"}
	callHue = colour{28, "#2b8a3e"}
	// raiseHues are for raises from the smallest to the largest; the second is for a game of
	// one size.
	raiseHues = []colour{{130, "#c2702a"}, {160, "#c92a2a"}, {124, "#9c1c1c"}, {88, "#701010"}, {53, "#4b0a3c"}}
)

// colours returns the colours of the actions.
func (g *Grid) colours() (all []colour) {
	raises := 0
	for _, a := range g.Actions {
		if a.Type == acpc.Raise {
			raises++
		}
	}
	raise := 0
	for _, a := range g.Actions {
		switch a.Type {
		case acpc.Fold:
			all = append(all, foldHue)
		case acpc.Call:
			all = append(all, callHue)
		default:
			hue := 1
			if raises > 1 {
				hue = raise * (len(raiseHues) - 1) / (raises - 1)
			}
			all = append(all, raiseHues[hue])
			raise++
		}
	}
	return all
}

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

// cellColumns is the width of a cell on a coloured terminal: 13 of them fit into 80 columns.
const cellColumns = 6

// WriteColour writes the grid for a terminal of 256 colours: each cell is divided between
// the actions, as far as the class is held.
func (g *Grid) WriteColour(w io.Writer) error {
	colours := g.colours()
	var out strings.Builder
	fmt.Fprintln(&out, g.Title)
	for row := range g.Ranks {
		for column := range g.Ranks {
			c := g.at(row, column)
			label := fmt.Sprintf(" %-*s", cellColumns-1, c.Class)
			columns, rest := c.shares(cellColumns)
			for a, n := range append(columns, rest) {
				colour := unheld
				if a < len(columns) {
					colour = colours[a]
				}
				if n > 0 {
					fmt.Fprintf(&out, "\x1b[38;5;231;48;5;%dm%s", colour.terminal, label[:n])
					label = label[n:]
				}
			}
			out.WriteString("\x1b[0m")
		}
		out.WriteByte('\n')
	}
	for a, name := range g.Names {
		fmt.Fprintf(&out, "\x1b[48;5;%dm  \x1b[0m %s  ", colours[a].terminal, name)
	}
	fmt.Fprintf(&out, "\x1b[48;5;%dm  \x1b[0m not held\n", unheld.terminal)
	_, err := io.WriteString(w, out.String())
	return err
}

// WriteText writes the grid without colours: of each class what it does most often, fold, call or
// raise, with its probability in percent, after a minus where less than half of the class is held.
// Raises of all sizes count together; the letter is that of the likeliest.
func (g *Grid) WriteText(w io.Writer) error {
	var out strings.Builder
	letters := g.letters()
	out.WriteString(g.Title + "\n ")
	for column := range g.Ranks {
		fmt.Fprintf(&out, "%6c", rankAt(column))
	}
	out.WriteByte('\n')
	for row := range g.Ranks {
		out.WriteByte(rankAt(row))
		for column := range g.Ranks {
			c := g.at(row, column)
			text := "."
			if c.Reach > 0 {
				a, p := g.likeliest(c)
				text = fmt.Sprintf("%c%.0f", letters[a], 100*p)
				if c.Reach < 0.5 {
					text = "-" + text
				}
			}
			fmt.Fprintf(&out, "%6s", text)
		}
		out.WriteByte('\n')
	}
	out.WriteString("the likeliest action and its percentage; suited hands above the diagonal; " +
		"- is held less than half\n")
	if strings.Contains(letters, raiseLetters[1:2]) {
		for a, name := range g.Names {
			fmt.Fprintf(&out, "%c %s, ", letters[a], name)
		}
		out.WriteString("with the percentage of all sizes together\n")
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// raiseLetters are the letters of raises, from the smallest to the largest.
const raiseLetters = "rstuvwxyzabdeghijklmnopq"

// letters returns a letter for each action.
func (g *Grid) letters() string {
	var all []byte
	raises := 0
	for _, a := range g.Actions {
		letter := a.String()[0]
		if a.Type == acpc.Raise {
			letter = raiseLetters[min(raises, len(raiseLetters)-1)]
			raises++
		}
		all = append(all, letter)
	}
	return string(all)
}

// likeliest returns the likeliest action of what a class does most often, and how often it does that:
// with raises of all sizes taken together.
func (g *Grid) likeliest(c *Cell) (action int, probability float64) {
	sums := map[acpc.ActionType]float64{}
	for a, p := range c.Probabilities {
		sums[g.Actions[a].Type] += p
	}
	for a, p := range c.Probabilities {
		sum, best := sums[g.Actions[a].Type], g.Actions[action].Type
		if sum > sums[best] || g.Actions[a].Type == best && p > c.Probabilities[action] {
			action = a
		}
	}
	return action, sums[g.Actions[action].Type]
}
