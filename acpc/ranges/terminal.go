package ranges

import (
	"fmt"
	"io"
	"strings"

	"gamebots/acpc"
)

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
