package havannah

import (
	"math/bits"
	"strings"
)

// Colour is the colour of a stone and of its player.
type Colour uint8

// White moves first. NoColour stands for an empty cell, and for no player.
const (
	NoColour Colour = iota
	White
	Black
)

// Other returns the opponent's colour.
func (c Colour) Other() Colour { return White + Black - c }

func (c Colour) String() string { return [...]string{"none", "white", "black"}[c] }

// Structures is a set of winning structures. One stone can complete several.
type Structures uint8

// The structures.
const (
	Ring   Structures = 1 << iota // around at least one cell, whatever is on it
	Bridge                        // connects two corners
	Fork                          // connects three edges
)

var structureNames = [...]string{"ring", "bridge", "fork"}

// String returns the names of the structures joined by a plus sign, in the
// order ring, bridge, fork.
func (s Structures) String() string {
	var names []string
	for i, name := range structureNames {
		if s&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, "+")
}

// Runs are the runs of neighbours of one colour on the circle around a cell. Cells of
// one run are connected; those of two runs are not adjacent. So the first cells of the
// runs have all groups of the colour around the cell.
type Runs struct {
	N     int
	First [NumNear / 2]int8 // directions
}

// RunsOf has the runs of every set of directions.
var RunsOf = func() (runs [1 << NumNear]Runs) {
	for set := range runs {
		r := &runs[set]
		for starts := set &^ (set<<1 | set>>(NumNear-1)); starts != 0; starts &= starts - 1 {
			r.First[r.N] = int8(bits.TrailingZeros(uint(starts)))
			r.N++
		}
	}
	runs[len(runs)-1].N = 1 // all around: no first, so any
	return runs
}()
