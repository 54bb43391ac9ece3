package extensive

// Subgames reports for each node whether it is the root of a subgame: a node that is no
// leaf, such that information sets with nodes in its subtree have no others. The root of
// the game is one.
func (g *Game) Subgames() []bool {
	roots := make([]bool, len(g.Nodes))
	// The first and the last node of the information sets in each subtree.
	first, last := make([]int, len(g.Nodes)), make([]int, len(g.Nodes))
	for i := len(g.Nodes) - 1; i >= 0; i-- {
		n := &g.Nodes[i]
		first[i], last[i] = i, i
		if n.Set == None {
			continue
		}
		if s := &g.Sets[n.Set]; s.Player != Chance {
			first[i], last[i] = s.Nodes[0], s.Nodes[len(s.Nodes)-1]
		}
		for _, c := range n.Children {
			first[i], last[i] = min(first[i], first[c]), max(last[i], last[c])
		}
		roots[i] = first[i] == i && last[i] < n.End
	}
	return roots
}
