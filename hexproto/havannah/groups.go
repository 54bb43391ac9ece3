package havannah

// groups is a forest of disjoint sets: every stone has a parent in its group,
// the root is its own. The smaller tree is hung under the larger and paths are
// not shortened, so that a join is taken back by looking at it alone; a path is
// at most as long as the logarithm of the group's size.
type groups struct {
	parent [MaxCells]int16
	size   [MaxCells]int16
	border [MaxCells]Border // of the trees that a root has taken in
}

// joins are the trees that one stone has hung under others, first to last, and
// the border that each of those others had before.
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

// add makes a stone with neighbours of its own colour in a set of directions
// part of their group. It says whether that closed a ring: two of its
// neighbours do not touch on the circle around it but were connected before.
// (Whatever the stone and that connection go around lies between the two.)
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

// join hangs the smaller of two trees under the other and returns its root.
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

// undo takes the joins of the last stone back.
func (g *groups) undo(j *joins) {
	for ; j.n > 0; j.n-- {
		h := j.hung[j.n-1]
		root := g.parent[h.root]
		g.parent[h.root] = h.root
		g.size[root] -= g.size[h.root]
		g.border[root] = h.border
	}
}
