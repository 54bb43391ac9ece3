package mccfr

import (
	"cmp"
	"slices"

	"gamebots/acpc"
)

// byLevel returns the game in level order: decisions by the number of actions
// before them, so that every level needs only the one before it on the way down
// and the one after it on the way up.
func (g *Game) byLevel() *Game {
	depth := make([]int32, len(g.nodes))
	order := make([]int32, len(g.nodes))
	var count func(i int32)
	count = func(i int32) {
		n := &g.nodes[i]
		for _, c := range g.children[g.action(n):][:n.actions] {
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
	at := make([]int32, len(g.nodes))
	for i, old := range order {
		at[old] = int32(i)
	}

	out := *g
	out.nodes = make([]node, len(g.nodes))
	out.children = make([]int32, len(g.children))
	var widths [acpc.MaxRounds][acpc.MaxPlayers]uint32
	for i, old := range order {
		if i == 0 || depth[order[i-1]] != depth[old] {
			out.levels = append(out.levels, int32(i))
		}
		n := &out.nodes[i]
		*n = g.nodes[old]
		width := &widths[n.round][n.actor]
		n.row = *width
		*width += uint32(n.actions)
		children := out.children[out.action(n):][:n.actions]
		copy(children, g.children[g.action(&g.nodes[old]):])
		for a, c := range children {
			if c >= 0 {
				children[a] = at[c]
			}
		}
	}
	out.levels = append(out.levels, int32(len(out.nodes)))
	return &out
}
