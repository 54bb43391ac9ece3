package mcts

// split is an edge near the root through which a batch descends on several workers. The
// subtree below it belongs to one task at a time.
type split struct {
	node    uint32
	branch  branch
	depth   int
	above   int // index of the split on the path to it; -1 at the root
	outcome outcome
}

// task is the work that one worker takes at a time: to bring simulations over the edge
// of a split to their leaves, or to back up leaves from a depth on.
type task struct {
	path  []Move // to the split's node
	nodes []uint32
	split int

	leaves []*Leaf
	depth  int
}

// grainSize is the number of simulations up to which a subtree is one task.
const grainSize = 6

// selectLeaves makes simulations down to their leaves, and returns
// the leaves that need playouts.
func (s *Search) selectLeaves(pool *workerPool, simulations int) []*Leaf {
	leaves := s.batches[0][:simulations]
	var sum outcome
	if len(s.workers) == 1 || simulations <= grainSize {
		sum = s.workers[0].descend(s.tree.root, leaves)
	} else {
		s.splits, s.tasks = s.splits[:0], s.tasks[:0]
		s.splitDescent(s.tree.root, leaves, -1)
		pool.run(len(s.tasks), func(w *worker, i int) {
			t := &s.tasks[i]
			p := &s.splits[t.split]
			w.path, w.nodes = append(w.path[:0], t.path...), append(w.nodes[:0], t.nodes...)
			p.outcome = w.follow(p.node, p.branch, t.leaves)
			w.path, w.nodes = w.path[:0], w.nodes[:0]
		})
		// Move the leaves of all tasks to the front.
		n := 0
		for i := range s.tasks {
			t := &s.tasks[i]
			for k := range s.splits[t.split].outcome.leaves {
				l := &t.leaves[k]
				leaves[n], *l = *l, leaves[n]
				n++
			}
		}
		for i := len(s.splits) - 1; i >= 0; i-- {
			p := &s.splits[i]
			s.workers[0].correct(p.node, p.branch, p.outcome, p.depth)
			if p.above >= 0 {
				s.splits[p.above].outcome.add(p.outcome)
			} else {
				sum.add(p.outcome)
			}
		}
	}
	if sum.exact > 0 {
		if s.proofs != nil {
			s.mergeProofs()
		}
		s.rootProof = s.tree.nodeProof(s.tree.root)
	}
	s.rootVisits += sum.leaves + sum.exact
	leaves = leaves[:sum.leaves]
	for i, l := range leaves {
		l.Index, l.FirstPlayout = i, s.playouts
		s.playouts += uint64(s.opts.Playouts)
	}
	if len(leaves) > 0 {
		s.batches[0], s.batches[1] = s.batches[1], s.batches[0]
	}
	return leaves
}

// splitDescent distributes simulations as descend does, and adds tasks for the subtrees
// that have few of them.
func (s *Search) splitDescent(node uint32, leaves []*Leaf, above int) {
	w := s.workers[0]
	base := w.distribute(node, len(leaves))
	for i := base; i < len(w.branches); i++ {
		b := w.branches[i]
		var part []*Leaf
		part, leaves = leaves[:b.count], leaves[b.count:]
		s.splits = append(s.splits, split{node, b, len(w.path), above, outcome{}})
		if child := s.tree.child(node, b.move); child != 0 && b.count > grainSize &&
			!s.due(node, b, s.opts.ProofAfter) && !s.due(node, b, s.opts.AdviseAfter) {
			w.path, w.nodes = append(w.path, b.move), append(w.nodes, node)
			s.splitDescent(child, part, len(s.splits)-1)
			w.path, w.nodes = w.path[:len(w.path)-1], w.nodes[:len(w.nodes)-1]
			continue
		}
		t := s.addTask()
		t.path, t.nodes = append(t.path[:0], w.path...), append(t.nodes[:0], w.nodes...)
		t.split, t.leaves = len(s.splits)-1, part
	}
	w.branches = w.branches[:base]
}

// addTask appends a task; it reuses the slices of an earlier one.
func (s *Search) addTask() *task {
	if n := len(s.tasks); n < cap(s.tasks) {
		s.tasks = s.tasks[:n+1]
	} else {
		s.tasks = append(s.tasks, task{})
	}
	return &s.tasks[len(s.tasks)-1]
}

// backUp adds the results of a batch to the tree.
func (s *Search) backUp(pool *workerPool, leaves []*Leaf) {
	if s.leafStats != nil {
		for _, l := range leaves {
			l.statsID = s.leafStats.next
			s.leafStats.next++
		}
	}
	if len(s.workers) == 1 || len(leaves) <= grainSize {
		s.workers[0].backUp(leaves, 0, true)
		return
	}
	s.tasks = s.tasks[:0]
	upper := s.splitBackup(nil, leaves, 0)
	pool.run(len(s.tasks), func(w *worker, i int) {
		t := &s.tasks[i]
		w.backUp(t.leaves, t.depth, true)
	})
	for i := len(upper) - 1; i >= 0; i-- {
		s.workers[0].backUp(upper[i].leaves, upper[i].depth, false)
	}
}

// upperNode is a node that is updated after the tasks below it: the one that its leaves
// have at a depth of their paths.
type upperNode struct {
	leaves []*Leaf
	depth  int
}

// splitBackup appends the nodes from a depth on that have too many leaves for one task,
// and adds tasks for the subtrees below them.
func (s *Search) splitBackup(upper []upperNode, leaves []*Leaf, depth int) []upperNode {
	upper = append(upper, upperNode{leaves, depth})
	for i, j := 0, 0; i < len(leaves); i = j {
		var ending int
		ending, j = sameEdge(leaves, i, depth)
		switch rest := leaves[i+ending : j]; {
		case len(rest) > grainSize:
			upper = s.splitBackup(upper, rest, depth+1)
		case len(rest) > 0:
			t := s.addTask()
			t.leaves, t.depth = rest, depth+1
		}
	}
	return upper
}

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
	scores := s.tree.stat(node, score)
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

// Evaluator plays playouts from leaves.
type Evaluator interface {
	// Start begins n playouts from each leaf. The leaves belong to the evaluator until
	// Wait has returned for them. The root of the game does not change meanwhile.
	Start(leaves []*Leaf, n int)
	// Wait waits for the earliest batch that was started and not yet waited for.
	Wait() error
	// Read sets the results of a leaf of the batch that was last waited for. Several
	// goroutines may read different leaves at a time.
	Read(*Leaf)
}

// Leaf is a position to play from, and the results of its playouts.
type Leaf struct {
	Path  []Move // from the root
	Index int    // index in its batch
	// FirstPlayout is the number of the leaf's first playout, counted from the start of
	// the search. It selects the random numbers.
	FirstPlayout uint64

	// Score is the sum of the results for the player to move at the root: 1 for a win,
	// 1/2 for a draw.
	Score float32
	// AMAF has the "all moves as first" counts, by player (0 is to move at the root) and
	// move. The lower 16 bits count the playouts in which the player made the move after
	// the leaf; the upper 16 bits are twice the player's results in those.
	AMAF [2][]uint32

	amaf    []uint32 // backs AMAF
	nodes   []uint32 // on the path
	statsID uint64   // number of its entry in leafStats
}

// maxPlayouts bounds the playouts of a batch, so that AMAF counts fit into 16 bits.
const maxPlayouts = 1<<15 - 1

func newLeaf(width int) *Leaf {
	l := &Leaf{amaf: make([]uint32, 2*width)}
	for side := range l.AMAF {
		l.AMAF[side] = l.amaf[side*width:][:width:width]
	}
	return l
}

// Set sets the results of n playouts. Points are twice the results of the player to move
// at the leaf; amaf has the counts of that player, then of the other one, in the format
// of AMAF.
func (l *Leaf) Set(n int, points uint32, amaf [2][]uint32) {
	first := len(l.Path) & 1 // who moves at the leaf
	l.Score = float32(points) / 2
	if first == 1 {
		l.Score = float32(n) - l.Score
	}
	for side, counts := range amaf {
		to := l.AMAF[side^first]
		clear(to[copy(to, counts):])
	}
}

// add adds the results of another leaf.
func (l *Leaf) add(other *Leaf) {
	l.Score += other.Score
	addCounts(l.amaf, other.amaf)
}
