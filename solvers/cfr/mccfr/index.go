package mccfr

import (
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/betting"
)

// index returns the game's information sets as strategies number them, and by
// decision its node there. It takes more memory than the game does, and is made
// anew each time it is asked for.
func (g *Game) index() (x *cfr.Index, decisions []int32) {
	tree := betting.NewTree(g.Rules, g.Shape)
	decisions = make([]int32, len(g.nodes))
	var visit func(decision, node int32)
	visit = func(decision, node int32) {
		for tree.Nodes[node].Kind == betting.Deal {
			node = tree.Segments[tree.Nodes[node].First].First
		}
		if decision < 0 {
			return
		}
		decisions[decision] = node
		n := &g.nodes[decision]
		for a, child := range g.children[g.action(n):][:n.actions] {
			visit(child, tree.Nodes[node].First+int32(a))
		}
	}
	visit(0, tree.Segments[0].First)
	return cfr.NewIndex(tree, g.Buckets), decisions
}
