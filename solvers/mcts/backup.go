package mcts

// backUp adds the results of leaves that have the same node at a depth of their paths
// to the edges of that node: to the score of the edge that each went through, and to the
// RAVE counts of all. It leaves their sum in the first leaf. With below it backs up the
// nodes below first; without, that has been done.
func (w *worker) backUp(leaves []*Leaf, depth int, below bool) {
	s := w.s
	node, side, n := leaves[0].nodes[depth], depth&1, float32(s.opts.Playouts)
	if s.hasRAVE {
		prefetch(s.tree.allStats(node))
	}
	raveCounts, scores := s.tree.stat(node, raveVisits), s.tree.stat(node, score)
	for i, j := 0, 0; i < len(leaves); i = j {
		var ending int
		ending, j = sameEdge(leaves, i, depth)
		first, rest := leaves[i], leaves[i+ending:j]
		if below && len(rest) > 0 {
			w.backUp(rest, depth+1, true)
		}
		for k, l := range leaves[i : i+ending] {
			w.readLeaf(l)
			if k > 0 {
				first.add(l)
			}
		}
		if ending > 0 && len(rest) > 0 {
			first.add(rest[0])
		}
		m, count := first.Path[depth], float32(j-i)
		won := first.Score
		if side != 0 {
			won = n*count - won
		}
		scores[m] += float32(won * s.playoutScore)
		if s.hasRAVE {
			raveCounts[m] -= s.virtualLoss * count
			// The move was made in all playouts.
			first.AMAF[side][m] = uint32(n*count) | uint32(2*won)<<16
		} else {
			s.tree.updateValue(node, m, s.rave)
		}
		if i > 0 {
			leaves[0].add(first)
		}
	}
	if s.hasRAVE {
		addRAVE(s.tree.allStats(node), leaves[0].AMAF[side], s.playoutRAVE, s.rave)
	}
}

// sameEdge returns the end of the leaves from the i-th on that go through the same edge
// at a depth, and how many of them, which come first, end behind it.
func sameEdge(leaves []*Leaf, i, depth int) (ending, end int) {
	m := leaves[i].Path[depth]
	for end = i; end < len(leaves) && leaves[end].Path[depth] == m; end++ {
		if len(leaves[end].Path) == depth+1 {
			ending++
		}
	}
	return ending, end
}

// readLeaf reads the results of a leaf, and stores its AMAF counts for the node that the
// leaf may get, or adds them to the node that it has got meanwhile.
func (w *worker) readLeaf(l *Leaf) {
	s := w.s
	s.eval.Read(l)
	if s.leafStats == nil {
		return
	}
	last := len(l.Path) - 1
	counts := l.AMAF[len(l.Path)&1]
	child := &s.tree.children[s.tree.edge(l.nodes[last], l.Path[last])]
	if *child == 0 || *child >= leafBit {
		*child = s.leafStats.store(l.statsID, counts, float32(s.opts.Playouts))
	} else {
		addRAVE(s.tree.allStats(*child), counts, s.playoutRAVE, s.rave)
	}
}
