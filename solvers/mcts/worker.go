package mcts

// hand does the work of one goroutine on a tree.
type hand struct {
	s     *Search
	game  Expander
	study Studier  // nil for none
	keyer Keyer    // nil for none
	path  []Move   // from the root to where it is
	nodes []uint32 // on that path

	branches []branch
	index    []int32 // of a move among the branches of a node
	moves    []Candidate
	sown     []uint32 // taken, by a seed
	chain    int      // nodes that were added on the path without a leaf
	proved   []uint64 // positions, as known has them
}

// maxChain is how many nodes are added before a leaf: forced moves are followed at
// once, but there has to be room for all nodes that a batch may add.
const maxChain = 32

// branch is some simulations that go through the same edge of a node.
type branch struct {
	move  Move
	count int
}

// tally is what came of simulations: leaves that wait for playouts, and those that
// ended in proofs, with their score for the player to move at the root.
type tally struct {
	leaves, exact int
	score         float32
}

func (t *tally) add(o tally) {
	t.leaves += o.leaves
	t.exact += o.exact
	t.score += o.score
}

func newHand(s *Search) *hand {
	h := &hand{s: s, game: s.game.Expander(), index: make([]int32, s.tree.width), sown: make([]uint32, s.tree.width)}
	if s.opts.Study > 0 {
		h.study, _ = h.game.(Studier)
		h.keyer, _ = h.game.(Keyer)
	}
	return h
}

// descend brings simulations from a node to as many leaves or fewer: those that
// would go where something was proved meanwhile are not made.
func (h *hand) descend(at uint32, leaves []*Leaf) (sum tally) {
	base := h.branch(at, len(leaves))
	for _, b := range h.branches[base:] {
		if child := h.s.tree.after(at, b.move); child != 0 {
			prefetch(h.s.tree.of(child, value))
		}
	}
	for i := base; i < len(h.branches); i++ {
		b := h.branches[i]
		t := h.follow(at, b, leaves[sum.leaves:][:b.count])
		h.settle(at, b, t, len(h.path))
		sum.add(t)
	}
	h.branches = h.branches[:base]
	return sum
}

// branch shares simulations out among the edges of a node, and returns where they
// begin in branches. Each edge counts them as lost until they are back.
func (h *hand) branch(at uint32, count int) (base int) {
	base = len(h.branches)
	t := h.s.tree
	values, seen, tried := t.of(at, value), t.of(at, visits), t.of(at, raveVisits)
	explores, m := h.s.opts.Explore > 0, h.s.choose(at)
	if seen[m] > mostCounted || tried[m] > h.s.mostTried {
		t.halve(at, h.s.rave)
		m = h.s.choose(at)
	}
	for left := count; left > 0; {
		k := int(h.index[m])
		if k == 0 {
			h.branches = append(h.branches, branch{m, 0})
			k = len(h.branches) - base
			h.index[m] = int32(k)
		}
		b := &h.branches[base+k-1]
		// It is chosen again while it is the highest, which need not be looked for.
		next := m
		if left > 1 && !explores {
			next = t.second(at, m)
		}
		for again := true; again && left > 0; {
			some := 1
			if int(seen[m]) >= h.s.opts.Expand {
				some = min(h.s.opts.Together, left)
			}
			seen[m] += float32(some)
			tried[m] += h.s.loss * float32(some)
			b.count += some
			left -= some
			t.rate(at, m, h.s.rave)
			again = !explores && (values[m] > values[next] || values[m] == values[next] && m < next)
		}
		if m = next; explores && left > 0 {
			m = h.s.choose(at)
		}
	}
	for _, b := range h.branches[base:] {
		h.index[b.move] = 0
	}
	return base
}

// follow brings simulations over an edge. Those that do not end behind it go on to
// the node there.
func (h *hand) follow(at uint32, b branch, leaves []*Leaf) (t tally) {
	tree, chain := h.s.tree, h.chain
	h.path, h.nodes = append(h.path, b.move), append(h.nodes, at)
	child, p := tree.after(at, b.move), Unknown
	if child == 0 {
		// A forced move is followed at once: it costs no simulation.
		if seen := int(tree.of(at, visits)[b.move]) - b.count; tree.about[at].numMoves > 1 || h.chain >= maxChain {
			for t.leaves < min(b.count, h.s.opts.Expand-seen) {
				h.leaf(leaves[t.leaves])
				t.leaves++
			}
		}
		if t.leaves < b.count {
			var key uint64
			if key, p = h.recall(); p != Unknown {
				tree.prove(at, b.move, p.other())
			} else if child, p = h.expand(at, b.move); child != 0 {
				if h.s.known != nil {
					h.s.known.keys[child] = key
				}
			} else if t.leaves == 0 {
				h.leaf(leaves[0])
				t.leaves++
			}
		}
		h.chain++
	} else {
		h.chain = 0
	}
	if child != 0 && h.s.attracts(at, b) {
		h.lookAt(child)
		p = tree.proof(child)
	}
	if p != Unknown {
		t.exact, t.score, child = 1, p.score(), 0
		if len(h.path)&1 != 0 { // the other player is to move
			t.score = 1 - t.score
		}
	}
	if child != 0 {
		t.add(h.descend(child, leaves[t.leaves:]))
	}
	last := len(h.path) - 1
	h.path, h.nodes, h.chain = h.path[:last], h.nodes[:last], chain
	return t
}

// leaf ends a simulation where the path does.
func (h *hand) leaf(l *Leaf) {
	l.Path, l.nodes = append(l.Path[:0], h.path...), append(l.nodes[:0], h.nodes...)
}

// expand adds a node where the path ends, if there is room, and returns what is
// proved of it.
func (h *hand) expand(at uint32, m Move) (i uint32, p Proof) {
	s := h.s
	if i = s.tree.add(); i == 0 {
		s.crowded.Store(true)
		return 0, Unknown
	}
	prefetch(s.tree.all(i))
	h.moves = h.game.Candidates(h.path, h.moves[:0])
	p = s.tree.fill(i, at, m, h.moves)
	child := &s.tree.child[s.tree.edge(at, m)]
	if s.seeds != nil && s.seeds.sow(*child, h.sown) {
		addRAVE(s.tree.all(i), h.sown, float32(s.opts.Weight)/seedGames, s.rave)
	}
	*child = i
	return i, p
}

// settle corrects an edge of a node at a depth for what came of the simulations
// that were to go over it.
func (h *hand) settle(at uint32, b branch, t tally, depth int) {
	if t.leaves == b.count {
		return
	}
	made := t.score
	if depth&1 != 0 {
		made = float32(t.exact) - made
	}
	s, tree := h.s, h.s.tree
	tree.of(at, visits)[b.move] -= float32(b.count - t.leaves - t.exact)
	tree.of(at, raveVisits)[b.move] -= s.loss * float32(b.count-t.leaves)
	tree.of(at, score)[b.move] += made
	tree.rate(at, b.move, s.rave)
	if child := tree.after(at, b.move); child != 0 && t.exact > 0 {
		if p := tree.proof(child); p != Unknown {
			tree.prove(at, b.move, p.other())
			h.remember(child, p)
		}
	}
}
