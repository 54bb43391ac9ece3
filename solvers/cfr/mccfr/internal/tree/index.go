package tree

import (
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/betting"
)

// Index returns the game's information sets as strategy files number them, and by
// decision its node in the index's tree. Every call computes it again, because it
// takes more memory than the game itself.
func (g *Game) Index() (x *cfr.Index, nodes []int32) {
	tree := betting.NewTree(g.Rules, g.Shape)
	nodes = make([]int32, len(g.Nodes))
	var visit func(decision, node int32)
	visit = func(decision, node int32) {
		for tree.Nodes[node].Kind == betting.Deal {
			node = tree.Segments[tree.Nodes[node].First].First
		}
		if decision < 0 {
			return
		}
		nodes[decision] = node
		for a, child := range g.ChildrenOf(&g.Nodes[decision]) {
			visit(child, tree.Nodes[node].First+int32(a))
		}
	}
	visit(0, tree.Segments[0].First)
	return cfr.NewIndex(tree, g.Buckets), nodes
}
