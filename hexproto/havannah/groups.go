package havannah

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
