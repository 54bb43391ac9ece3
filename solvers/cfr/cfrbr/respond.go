package cfrbr

import (
	"gamebots/cudalib/pcsgpu"
	"gamebots/solvers/internal/tiles"
)

// choices are the best actions of the hands of a board in a tile of lanes, by place in the
// order, decision and lane. They decide as a best response does.
type choices struct {
	program *pcsgpu.Program
	actions [][tiles.Lanes]uint8
	hand    [][tiles.Lanes]uint8 // those at the place of the hand
}

func newChoices(p *pcsgpu.Program, places int) *choices {
	return &choices{program: p, actions: make([][tiles.Lanes]uint8, places*len(p.Decisions))}
}

func (c *choices) begin(place int) {
	n := len(c.program.Decisions)
	c.hand = c.actions[place*n:][:n]
}

// decide takes the best action, the first of equals.
func (c *choices) decide(decision int, _ *pcsgpu.Decision, actions []tiles.Tile) tiles.Tile {
	best, chosen := actions[0], &c.hand[decision]
	*chosen = [tiles.Lanes]uint8{}
	for a := 1; a < len(actions); a++ {
		for l, v := range actions[a] {
			if v > best[l] {
				best[l], chosen[l] = v, uint8(a)
			}
		}
	}
	return best
}

// write writes the choices as probabilities to a table by place, column and lane, from the
// tile's first lane on.
func (c *choices) write(table []float32, columns, width int) {
	n := len(c.program.Decisions)
	for i, chosen := range c.actions {
		d := &c.program.Decisions[i%n]
		for a := range int(d.Actions) {
			row := table[(i/n*columns+int(d.Column)+a)*width:][:tiles.Lanes]
			for l := range row {
				if row[l] = 0; int(chosen[l]) == a {
					row[l] = 1
				}
			}
		}
	}
}
