package mcts

// backUp adds the results of leaves that have the same node at a depth to its
// edges, and for RAVE to the edges beside them. It leaves the sum of them in the
// first one. Unless nodes below are done already it begins with those.
func (h *hand) backUp(leaves []*Leaf, depth int, below bool) {
	s := h.s
	at, side, n := leaves[0].nodes[depth], depth&1, float32(s.opts.Playouts)
	if s.hasRAVE {
		prefetch(s.tree.all(at))
	}
	tried, scores := s.tree.of(at, raveVisits), s.tree.of(at, score)
	for i, j := 0, 0; i < len(leaves); i = j {
		var ends int
		ends, j = sameEdge(leaves, i, depth)
		first, rest := leaves[i], leaves[i+ends:j]
		if below && len(rest) > 0 {
			h.backUp(rest, depth+1, true)
		}
		for k, l := range leaves[i : i+ends] {
			h.arrive(l)
			if k > 0 {
				first.add(l)
			}
		}
		if ends > 0 && len(rest) > 0 {
			first.add(rest[0])
		}
		m, count := first.Path[depth], float32(j-i)
		won := first.Score
		if side != 0 {
			won = n*count - won
		}
		scores[m] += float32(won * s.share)
		if s.hasRAVE {
			tried[m] -= s.loss * count
			// The move was made in all of them.
			first.Taken[side][m] = uint32(n*count) | uint32(2*won)<<16
		} else {
			s.tree.rate(at, m, s.rave)
		}
		if i > 0 {
			leaves[0].add(first)
		}
	}
	if s.hasRAVE {
		addRAVE(s.tree.all(at), leaves[0].Taken[side], s.weight, s.rave)
	}
}

// sameEdge returns how many leaves from the i-th on end behind its edge at a depth,
// and where those that go over it end.
func sameEdge(leaves []*Leaf, i, depth int) (ends, j int) {
	m := leaves[i].Path[depth]
	for j = i; j < len(leaves) && leaves[j].Path[depth] == m; j++ {
		if len(leaves[j].Path) == depth+1 {
			ends++
		}
	}
	return ends, j
}

// arrive takes what came of a leaf's games, and keeps what they say of the moves
// that come next.
func (h *hand) arrive(l *Leaf) {
	s := h.s
	s.eval.Read(l)
	if s.seeds == nil {
		return
	}
	last := len(l.Path) - 1
	taken := l.Taken[len(l.Path)&1]
	child := &s.tree.child[s.tree.edge(l.nodes[last], l.Path[last])]
	if *child == 0 || *child >= seedBit {
		*child = s.seeds.keep(l.seed, taken, float32(s.opts.Playouts))
	} else {
		addRAVE(s.tree.all(*child), taken, s.weight, s.rave)
	}
}
