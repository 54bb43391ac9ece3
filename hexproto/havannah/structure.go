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

// groups is a disjoint-set forest: every stone has a parent in its group, and the root
// is its own parent. Trees are joined by size, without path compression, so that a join
// can be undone alone. A path is at most as long as the logarithm of the group's size.
type groups struct {
	parent [MaxCells]int16
	size   [MaxCells]int16
	border [MaxCells]Border // border of the whole tree, at its root
}

// joins are the trees that one stone has joined to others, in order, with the border
// that each of those others had before.
type joins struct {
	n    int8
	hung [NumNear / 2]struct {
		root   int16
		border Border
	}
}

func (g *groups) find(cell int) int {
	at := int16(cell)
	for g.parent[at] != at {
		at = g.parent[at]
	}
	return int(at)
}

// add joins a stone to its neighbours of the same colour, in a set of directions. It
// reports whether that closed a ring: two neighbours in different runs on the circle
// around the stone were connected before. (The ring goes around a cell between the two
// runs.)
func (g *groups) add(cell int, near [NumNear]int16, set int, border Border, j *joins) (ring bool) {
	g.parent[cell], g.size[cell], g.border[cell] = int16(cell), 1, border
	j.n = 0
	root := cell
	runs := &RunsOf[set]
	for _, d := range runs.First[:runs.N] {
		other := g.find(int(near[d]))
		if other == root {
			ring = true
			continue
		}
		root = g.join(root, other, j)
	}
	return ring
}

// join joins the smaller of two trees to the larger and returns the root.
func (g *groups) join(a, b int, j *joins) int {
	if g.size[a] < g.size[b] {
		a, b = b, a
	}
	h := &j.hung[j.n]
	j.n++
	h.root, h.border = int16(b), g.border[a]
	g.parent[b] = int16(a)
	g.size[a] += g.size[b]
	g.border[a] |= g.border[b]
	return a
}

// undo takes back the joins of the last stone.
func (g *groups) undo(j *joins) {
	for ; j.n > 0; j.n-- {
		h := j.hung[j.n-1]
		root := g.parent[h.root]
		g.parent[h.root] = h.root
		g.size[root] -= g.size[h.root]
		g.border[root] = h.border
	}
}
