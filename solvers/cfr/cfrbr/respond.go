package cfrbr

import (
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/internal/vectors"
)

// choices are the best actions of the hands of a board in a tile of lanes, by place in the
// order, decision and lane. They are what a best response plays.
type choices struct {
	program *segment.Program
	actions [][vectors.TileLanes]uint8
}

func newChoices(p *segment.Program, places int) *choices {
	return &choices{program: p, actions: make([][vectors.TileLanes]uint8, places*len(p.Decisions))}
}

func (c *choices) play(place int, v *segment.Values) vectors.Tile {
	n := len(c.program.Decisions)
	return v.Best(c.actions[place*n:][:n])
}

// write writes the choices as probabilities to a table by place, column and lane, from the
// tile's first lane on.
func (c *choices) write(table []float32, columns, width int) {
	n := len(c.program.Decisions)
	for i, chosen := range c.actions {
		d := &c.program.Decisions[i%n]
		for a := range int(d.Actions) {
			row := table[(i/n*columns+int(d.Column)+a)*width:][:vectors.TileLanes]
			for l := range row {
				if row[l] = 0; int(chosen[l]) == a {
					row[l] = 1
				}
			}
		}
	}
}
