package mcts

// split is an edge at the top of the tree over which a batch is brought down by
// several hands. Below it each works by itself.
type split struct {
	at     uint32
	branch branch
	depth  int
	above  int // the split on the way to it; -1 at the root
	tally  tally
}

// task is what one hand does at a time: to bring simulations over the edge of a
// split to their leaves, or to back up leaves from a depth on.
type task struct {
	path  []Move // to the split's node
	nodes []uint32
	split int

	leaves []*Leaf
	depth  int
}

// grain is how many simulations are left to one hand.
const grain = 6

// pick makes up to so many simulations down to their leaves, and returns those
// that need playouts.
func (s *Search) pick(c *crew, simulations int) []*Leaf {
	leaves := s.batches[0][:simulations]
	var sum tally
	if len(s.hands) == 1 || simulations <= grain {
		sum = s.hands[0].descend(s.tree.root, leaves)
	} else {
		s.splits, s.tasks = s.splits[:0], s.tasks[:0]
		s.split(s.tree.root, leaves, -1)
		c.do(len(s.tasks), func(h *hand, i int) {
			t := &s.tasks[i]
			p := &s.splits[t.split]
			h.path, h.nodes = append(h.path[:0], t.path...), append(h.nodes[:0], t.nodes...)
			p.tally = h.follow(p.at, p.branch, t.leaves)
			h.path, h.nodes = h.path[:0], h.nodes[:0]
		})
		// Their leaves move together.
		n := 0
		for i := range s.tasks {
			t := &s.tasks[i]
			for k := range s.splits[t.split].tally.leaves {
				l := &t.leaves[k]
				leaves[n], *l = *l, leaves[n]
				n++
			}
		}
		for i := len(s.splits) - 1; i >= 0; i-- {
			p := &s.splits[i]
			s.hands[0].settle(p.at, p.branch, p.tally, p.depth)
			if p.above >= 0 {
				s.splits[p.above].tally.add(p.tally)
			} else {
				sum.add(p.tally)
			}
		}
	}
	if sum.exact > 0 {
		if s.known != nil {
			s.learn()
		}
		s.proof = s.tree.proof(s.tree.root)
	}
	s.through += sum.leaves + sum.exact
	leaves = leaves[:sum.leaves]
	for i, l := range leaves {
		l.Place, l.Number = i, s.playouts
		s.playouts += uint64(s.opts.Playouts)
	}
	if len(leaves) > 0 {
		s.batches[0], s.batches[1] = s.batches[1], s.batches[0]
	}
	return leaves
}

// split shares simulations out as descend does, and leaves parts for tasks.
func (s *Search) split(at uint32, leaves []*Leaf, above int) {
	h := s.hands[0]
	base := h.branch(at, len(leaves))
	for i := base; i < len(h.branches); i++ {
		b := h.branches[i]
		var some []*Leaf
		some, leaves = leaves[:b.count], leaves[b.count:]
		s.splits = append(s.splits, split{at, b, len(h.path), above, tally{}})
		if child := s.tree.after(at, b.move); child != 0 && b.count > grain && !s.attracts(at, b) {
			h.path, h.nodes = append(h.path, b.move), append(h.nodes, at)
			s.split(child, some, len(s.splits)-1)
			h.path, h.nodes = h.path[:len(h.path)-1], h.nodes[:len(h.nodes)-1]
			continue
		}
		t := s.addTask()
		t.path, t.nodes = append(t.path[:0], h.path...), append(t.nodes[:0], h.nodes...)
		t.split, t.leaves = len(s.splits)-1, some
	}
	h.branches = h.branches[:base]
}

// addTask returns a new task with the room of an old one.
func (s *Search) addTask() *task {
	if n := len(s.tasks); n < cap(s.tasks) {
		s.tasks = s.tasks[:n+1]
	} else {
		s.tasks = append(s.tasks, task{})
	}
	return &s.tasks[len(s.tasks)-1]
}

// backUp adds the results of a batch to the tree.
func (s *Search) backUp(c *crew, leaves []*Leaf) {
	if s.seeds != nil {
		for _, l := range leaves {
			l.seed = s.seeds.next
			s.seeds.next++
		}
	}
	if len(s.hands) == 1 || len(leaves) <= grain {
		s.hands[0].backUp(leaves, 0, true)
		return
	}
	s.tasks = s.tasks[:0]
	tops := s.splitUp(nil, leaves, 0)
	c.do(len(s.tasks), func(h *hand, i int) {
		t := &s.tasks[i]
		h.backUp(t.leaves, t.depth, true)
	})
	for i := len(tops) - 1; i >= 0; i-- {
		s.hands[0].backUp(tops[i].leaves, tops[i].depth, false)
	}
}

// top is a node whose leaves are backed up after those below.
type top struct {
	leaves []*Leaf
	depth  int
}

// splitUp appends the nodes on the way from one at a depth to those that are left
// for tasks.
func (s *Search) splitUp(tops []top, leaves []*Leaf, depth int) []top {
	tops = append(tops, top{leaves, depth})
	for i, j := 0, 0; i < len(leaves); i = j {
		var ends int
		ends, j = sameEdge(leaves, i, depth)
		switch rest := leaves[i+ends : j]; {
		case len(rest) > grain:
			tops = s.splitUp(tops, rest, depth+1)
		case len(rest) > 0:
			t := s.addTask()
			t.leaves, t.depth = rest, depth+1
		}
	}
	return tops
}
