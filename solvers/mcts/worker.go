package mcts

import "math"

// worker does the work of one goroutine on a tree.
type worker struct {
	s        *Search
	expander Expander
	studier  Studier  // nil for none
	adviser  Adviser  // nil for none
	keyer    Keyer    // nil for none
	path     []Move   // from the root to the current node
	nodes    []uint32 // on that path

	branches   []branch
	index      []int32 // index of a move among the branches of a node, from 1
	candidates []Candidate
	leafCounts []uint32 // AMAF counts of a leaf that gets a node
	chain      int      // nodes that were added on the path without a leaf
	proved     []uint64 // positions, as entries of the proof table
}

// maxChain is how many nodes are added before a leaf at most. Forced moves are followed
// at once, but all nodes that a batch may add must fit into the tree.
const maxChain = 32

// branch is the simulations of a batch that go through one edge of a node.
type branch struct {
	move  Move
	count int
}

// outcome is the result of some simulations: leaves that wait for playouts, and
// simulations that ended in a proof, with their score for the player to move at the root.
type outcome struct {
	leaves, exact int
	score         float32
}

func (o *outcome) add(more outcome) {
	o.leaves += more.leaves
	o.exact += more.exact
	o.score += more.score
}

func newWorker(s *Search) *worker {
	w := &worker{s: s, expander: s.game.Expander(), index: make([]int32, s.tree.width),
		leafCounts: make([]uint32, s.tree.width)}
	if s.opts.ProofAfter > 0 {
		w.studier, _ = w.expander.(Studier)
		w.keyer, _ = w.expander.(Keyer)
	}
	if s.opts.AdviseAfter > 0 {
		w.adviser, _ = w.expander.(Adviser)
	}
	return w
}

// descend brings simulations from a node to leaves, one each, or fewer: a simulation
// that would enter an edge proved meanwhile is dropped.
func (w *worker) descend(node uint32, leaves []*Leaf) (sum outcome) {
	base := w.distribute(node, len(leaves))
	for _, b := range w.branches[base:] {
		if child := w.s.tree.child(node, b.move); child != 0 {
			prefetch(w.s.tree.stat(child, value))
		}
	}
	for i := base; i < len(w.branches); i++ {
		b := w.branches[i]
		o := w.follow(node, b, leaves[sum.leaves:][:b.count])
		w.correct(node, b, o, len(w.path))
		sum.add(o)
	}
	w.branches = w.branches[:base]
	return sum
}

// distribute distributes simulations among the edges of a node, which count them as
// lost until they are back. It appends to branches, and returns where they begin.
func (w *worker) distribute(node uint32, count int) (base int) {
	base = len(w.branches)
	t := w.s.tree
	values, counts, raveCounts := t.stat(node, value), t.stat(node, visits), t.stat(node, raveVisits)
	explores, m := w.s.opts.Explore > 0, w.s.choose(node)
	if counts[m] > maxVisits || raveCounts[m] > w.s.maxRAVEVisits {
		t.halveCounts(node, w.s.rave)
		m = w.s.choose(node)
	}
	for left := count; left > 0; {
		k := int(w.index[m])
		if k == 0 {
			w.branches = append(w.branches, branch{m, 0})
			k = len(w.branches) - base
			w.index[m] = int32(k)
		}
		b := &w.branches[base+k-1]
		// The move is chosen again while its value exceeds the second highest, so the
		// maximum need not be searched for each time.
		next := m
		if left > 1 && !explores {
			next = t.runnerUp(node, m)
		}
		for again := true; again && left > 0; {
			n := 1
			if int(counts[m]) >= w.s.opts.Expand {
				n = min(w.s.opts.LeavesPerDescent, left)
			}
			counts[m] += float32(n)
			b.count += n
			left -= n
			t.updateValue(node, m, w.s.rave)
			again = !explores && (values[m] > values[next] || values[m] == values[next] && m < next)
		}
		if m = next; explores && left > 0 {
			m = w.s.choose(node)
		}
	}
	for _, b := range w.branches[base:] {
		w.index[b.move] = 0
	}
	return base
}

// follow brings simulations over an edge of a node. Those that do not end behind it
// descend from the node there.
func (w *worker) follow(node uint32, b branch, leaves []*Leaf) (o outcome) {
	tree, chain := w.s.tree, w.chain
	w.path, w.nodes = append(w.path, b.move), append(w.nodes, node)
	child, p := tree.child(node, b.move), Unknown
	if child == 0 {
		// A forced move is followed at once, without a simulation that ends there.
		if before := int(tree.stat(node, visits)[b.move]) - b.count; tree.nodes[node].numMoves > 1 ||
			w.chain >= maxChain {
			for o.leaves < min(b.count, w.s.opts.Expand-before) {
				w.setLeaf(leaves[o.leaves])
				o.leaves++
			}
		}
		if o.leaves < b.count {
			var key uint64
			if key, p = w.lookUpProof(); p != Unknown {
				tree.setProof(node, b.move, p.Other())
			} else if child, p = w.expand(node, b.move); child != 0 {
				if w.s.proofs != nil {
					w.s.proofs.nodeKeys[child] = key
				}
			} else if o.leaves == 0 {
				w.setLeaf(leaves[0])
				o.leaves++
			}
		}
		w.chain++
	} else {
		w.chain = 0
	}
	if child != 0 && w.s.due(node, b, w.s.opts.ProofAfter) {
		w.study(child)
		p = tree.nodeProof(child)
	}
	if child != 0 && w.s.due(node, b, w.s.opts.AdviseAfter) {
		w.advise(child)
	}
	if p != Unknown {
		o.exact, o.score, child = 1, p.score(), 0
		if len(w.path)&1 != 0 { // the other player is to move
			o.score = 1 - o.score
		}
	}
	if child != 0 {
		o.add(w.descend(child, leaves[o.leaves:]))
	}
	last := len(w.path) - 1
	w.path, w.nodes, w.chain = w.path[:last], w.nodes[:last], chain
	return o
}

// setLeaf ends a simulation at the end of the path.
func (w *worker) setLeaf(l *Leaf) {
	l.Path, l.nodes = append(l.Path[:0], w.path...), append(l.nodes[:0], w.nodes...)
}

// expand adds a node at the end of the path and returns the proof by its candidates, or
// returns 0 if the tree is full.
func (w *worker) expand(parent uint32, m Move) (node uint32, p Proof) {
	s := w.s
	if node = s.tree.alloc(); node == 0 {
		s.full.Store(true)
		return 0, Unknown
	}
	prefetch(s.tree.allStats(node))
	w.candidates = w.expander.Candidates(w.path, w.candidates[:0])
	p = s.tree.initNode(node, parent, m, w.candidates)
	child := &s.tree.children[s.tree.edge(parent, m)]
	if s.leafStats != nil && s.leafStats.load(*child, w.leafCounts) {
		addRAVE(s.tree.allStats(node), w.leafCounts, float32(s.opts.RAVEWeight)/storedPlayouts, s.rave)
	}
	*child = node
	return node, p
}

// correct updates an edge of a node at a depth for the simulations of a branch that did
// not end in leaves: they were proved, or dropped.
func (w *worker) correct(node uint32, b branch, o outcome, depth int) {
	if o.leaves == b.count {
		return
	}
	gained := o.score
	if depth&1 != 0 {
		gained = float32(o.exact) - gained
	}
	s, tree := w.s, w.s.tree
	tree.stat(node, visits)[b.move] -= float32(b.count - o.leaves - o.exact)
	tree.stat(node, score)[b.move] += gained
	tree.updateValue(node, b.move, s.rave)
	if child := tree.child(node, b.move); child != 0 && o.exact > 0 {
		if p := tree.nodeProof(child); p != Unknown {
			tree.setProof(node, b.move, p.Other())
			w.noteProof(child, p)
		}
	}
}

// adviceWeight is the weight of an adviser's value beside the mean of the simulations that
// a move has had before.
const adviceWeight = 0.5

// advise asks for an opinion about the node at the end of the path.
func (w *worker) advise(node uint32) {
	t := w.s.tree
	info := &t.nodes[node]
	if w.adviser == nil || info.advised || info.numMoves == 1 {
		return
	}
	info.advised = true
	var v float32
	var ok bool
	if w.candidates, v, ok = w.adviser.Advise(w.path, w.candidates[:0]); !ok {
		return
	}
	priors := t.stat(node, prior)
	for _, c := range w.candidates {
		priors[c.Move] += c.Prior
		t.updateValue(node, c.Move, w.s.rave)
	}
	if node == t.root {
		return
	}
	// The value of the move to the node, as a prior that fades with its visits.
	parent, m := info.parent, info.move
	if n := t.stat(parent, visits)[m]; n > 0 {
		mean := t.stat(parent, score)[m] / n
		t.stat(parent, prior)[m] += float32(adviceWeight * (1 - v - mean) * float32(math.Sqrt(float64(n)+1)))
		t.updateValue(parent, m, w.s.rave)
	}
}

// adviseRoot asks for an opinion about the root.
func (s *Search) adviseRoot() { s.workers[0].advise(s.tree.root) }
