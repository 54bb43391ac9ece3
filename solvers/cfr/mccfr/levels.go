package mccfr

import (
	"cmp"
	"slices"

	"gamebots/acpc"
)

// LevelOrder returns a copy of the game in level order: decisions by the number of
// actions before them. A pass down the tree then reads only the level above, and a
// pass up only the level below.
func (g *Game) LevelOrder() *Game {
	depth := make([]int32, len(g.Nodes))
	order := make([]int32, len(g.Nodes))
	var count func(i int32)
	count = func(i int32) {
		for _, c := range g.ChildrenOf(&g.Nodes[i]) {
			if c >= 0 {
				depth[c] = depth[i] + 1
				count(c)
			}
		}
	}
	count(0)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(depth[a], depth[b]) })
	at := make([]int32, len(g.Nodes))
	for i, old := range order {
		at[old] = int32(i)
	}

	out := *g
	out.Nodes = make([]Node, len(g.Nodes))
	out.Children = make([]int32, len(g.Children))
	var widths [acpc.MaxRounds][acpc.MaxPlayers]uint32
	for i, old := range order {
		if i == 0 || depth[order[i-1]] != depth[old] {
			out.Levels = append(out.Levels, int32(i))
		}
		n := &out.Nodes[i]
		*n = g.Nodes[old]
		width := &widths[n.Round][n.Actor]
		n.Offset = *width
		*width += uint32(n.Actions)
		children := out.ChildrenOf(n)
		copy(children, g.ChildrenOf(&g.Nodes[old]))
		for a, c := range children {
			if c >= 0 {
				children[a] = at[c]
			}
		}
	}
	out.Levels = append(out.Levels, int32(len(out.Nodes)))
	return &out
}

// WidestLevels returns the number of decisions of the widest even level and of the
// widest odd level of a game in level order.
func (g *Game) WidestLevels() (widest [2]int) {
	for level := range len(g.Levels) - 1 {
		widest[level%2] = max(widest[level%2], int(g.Levels[level+1]-g.Levels[level]))
	}
	return widest
}
