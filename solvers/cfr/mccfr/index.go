package mccfr

import (
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/policy"
)

// Index returns the game's information sets as strategy files number them, and by node of
// the index's tree the decision of the game. Every call computes it again, because it
// takes more memory than the game itself.
func (g *Game) Index() (x *policy.Index, decisions []int32) { return g.index(g.Shape) }

// FullIndex is Index with the tree that forgets no betting. If the game does, a decision of
// the game has many nodes.
func (g *Game) FullIndex() (x *policy.Index, decisions []int32) {
	if !g.Shape.Betting.IsForgetful() {
		return g.Index()
	}
	return g.index(g.Shape.Betting.Remembering().ShapeOf(g.Rules, betting.MaxNodes))
}

func (g *Game) index(shape betting.Shape) (x *policy.Index, decisions []int32) {
	tree := betting.NewTree(g.Rules, shape)
	decisions = make([]int32, len(tree.Nodes))
	for i := range tree.Nodes { // parents come before their children
		switch n := &tree.Nodes[i]; n.Kind {
		case betting.Deal:
			first := decisions[i]
			if m := g.Merged(first); m != nil {
				first = m.Node
			}
			decisions[tree.Segments[n.First].First] = first
		case betting.Decision:
			copy(decisions[n.First:], g.ChildrenOf(&g.Nodes[decisions[i]]))
		}
	}
	return policy.NewIndex(tree, g.Buckets), decisions
}
