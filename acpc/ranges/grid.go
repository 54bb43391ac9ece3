package ranges

import (
	"math"
	"slices"

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
