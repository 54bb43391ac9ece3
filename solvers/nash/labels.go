package nash

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
)

// An Order is how the search by labels chooses what to branch over. Any gives the
// same equilibria.
type Order int

const (
	BySum     Order = iota // of the two scores of a label
	ByProduct              // which makes smaller trees of more pivots
)

// A pair is one of each polytope's tableaux.
const (
	sideP = 0 // x_i = 0, or column j is a best reply
	sideQ = 1 // row i is a best reply, or y_j = 0
)

// A labelSet has a bit for each label: rows, then columns.
type labelSet [2]uint64

func (s labelSet) has(l uint8) bool { return s[l>>6]>>(l&63)&1 != 0 }
func (s *labelSet) add(l uint8)     { s[l>>6] |= 1 << (l & 63) }

// slice returns n bits from the bit at.
func (s labelSet) slice(at, n int) uint64 {
	x := s[at>>6] >> (at & 63)
	if at&63 != 0 && at>>6 == 0 {
		x |= s[1] << (64 - at&63)
	}
	return x & (^uint64(0) >> (64 - n))
}

// A decision gives a label to a side.
type decision uint8

const decisionQ decision = 0x80

func (d decision) label() uint8 { return uint8(d &^ decisionQ) }
func (d decision) side() int    { return int(d >> 7) }

// space is what a search by labels goes through: the two polytopes.
type space struct {
	rows, cols, labels int
	root               [2]*tableau
	order              Order
}

// newSpace makes tableaux at the origins of both polytopes.
func newSpace(p *prover, order Order) *space {
	s := &space{rows: p.a.rows, cols: p.a.cols, labels: p.a.rows + p.a.cols, order: order}
	s.root[sideP] = newPolytope(p.bt, 0, s.rows)
	s.root[sideQ] = newPolytope(p.a, s.rows, 0)
	return s
}

// newPolytope makes the tableau of {z >= 0, at z <= 1} with z the variables from
// number columns on, and the rows' slacks those from number rows on. Each z is
// multiplied by the largest entry of its column, so that it is 1 at most.
func newPolytope(at positive, columns, rows int) *tableau {
	f := at.floats()
	t := newTableau(at.rows, at.cols, make([]float64, at.rows+at.cols))
	t.rows, t.cols, t.stride = at.rows, at.cols, at.cols+first
	probe := newStream(uint64(columns + 1))
	for c := range at.cols {
		t.colVar[c] = uint8(columns + c)
		t.probe[columns+c] = probe.float()
		largest := 0.0
		for r := range at.rows {
			largest = max(largest, f[r*at.cols+c])
		}
		for r := range at.rows {
			t.a[r*t.stride+first+c] = f[r*at.cols+c] / largest
		}
	}
	for r := range at.rows {
		t.rowVar[r] = uint8(rows + r)
		row := t.row(r)
		row[constant] = 1
		slack := 1.0
		for c, x := range row[first:] {
			slack -= x * t.probe[columns+c]
		}
		t.probe[rows+r] = slack
	}
	return t
}

// labelStats counts what a search did.
type labelStats struct {
	Nodes, Pivots, Leaves, Doubts uint64
}

func (s *labelStats) add(o labelStats) {
	s.Nodes, s.Pivots, s.Leaves, s.Doubts = s.Nodes+o.Nodes, s.Pivots+o.Pivots, s.Leaves+o.Leaves, s.Doubts+o.Doubts
}

// A walker goes through subtrees, depth first.
type walker struct {
	*space
	stack [][2]*tableau // by depth
	path  []decision    // to the node where it is
	stats labelStats
	leaf  func(rows, cols uint64) // called with the supports of a leaf
	// branch is called before branching at a node; true means that somebody else
	// takes the second branch, and false that nobody does.
	branch func(second []decision) bool
	done   func(depth int) // called at every node that ends
	failed bool            // a simplex search did not end, or the caller wants no more
}

func newWalker(s *space) *walker { return &walker{space: s} }

// at returns the tableaux of a depth.
func (w *walker) at(depth int) *[2]*tableau {
	for len(w.stack) <= depth {
		var pair [2]*tableau
		for side, root := range w.root {
			pair[side] = newTableau(len(root.rowVar), len(root.colVar), root.probe)
		}
		w.stack = append(w.stack, pair)
	}
	return &w.stack[depth]
}

// walk goes through the subtree of some decisions.
func (w *walker) walk(path []decision) {
	pair := w.at(0)
	for side := range pair {
		pair[side].copyFrom(w.root[side])
	}
	w.path = append(w.path[:0], path...)
	var labels, inQ labelSet
	counted := w.stats // what is only done again does not count
	changed := bothSides
	for i, d := range path {
		possible := w.decide(pair, changed, &labels, &inQ)
		if i == len(path)-1 {
			w.stats = counted
		}
		if !possible || !w.force(pair, d, &labels, &inQ) {
			w.done(len(path))
			return
		}
		changed = 1 << d.side()
	}
	w.node(0, changed, labels, inQ)
}

// force carries out a decision, and says whether the face has a point.
func (w *walker) force(pair *[2]*tableau, d decision, labels, inQ *labelSet) bool {
	labels.add(d.label())
	if d.side() == sideQ {
		inQ.add(d.label())
	}
	switch pair[d.side()].force(d.label(), &w.stats.Pivots) {
	case empty:
		return false
	case doubtful:
		w.stats.Doubts++
	case stuck:
		w.failed = true
	}
	return !w.failed
}

// bothSides is a set of sides.
const bothSides = 1<<sideP | 1<<sideQ

// decide gives labels to one side whose variables on the other cannot be 0, and
// forgets the rows of these. It says whether both faces have points. A side that has
// not changed since this was last done has no such rows.
func (w *walker) decide(pair *[2]*tableau, changed int, labels, inQ *labelSet) bool {
	for changed != 0 {
		for side, t := range pair {
			if changed>>side&1 == 0 {
				continue
			}
			changed &^= 1 << side
			for r := t.rows - 1; r >= 0; r-- {
				if t.slackOf(r) <= 0 {
					continue
				}
				v := t.rowVar[r]
				t.drop(r)
				if !labels.has(v) {
					changed |= bothSides &^ (1 << side)
					d := decision(v)
					if side == sideP {
						d |= decisionQ
					}
					if !w.force(pair, d, labels, inQ) {
						return false
					}
				}
			}
		}
	}
	return true
}

// node goes through what is below the faces at a depth, of which some sides have
// changed.
func (w *walker) node(depth, changed int, labels, inQ labelSet) {
	for !w.failed {
		pair := w.at(depth)
		w.stats.Nodes++
		if !w.decide(pair, changed, &labels, &inQ) {
			break
		}
		label, found := w.choose(pair, labels)
		if !found {
			w.stats.Leaves++
			w.leaf(w.supports(inQ))
			break
		}
		length := len(w.path)
		if !w.branch(append(w.path, decision(label)|decisionQ)) {
			below := w.at(depth + 1)
			pair = w.at(depth)
			for side := range below {
				below[side].copyFrom(pair[side])
			}
			l, q := labels, inQ
			w.path = append(w.path, decision(label)|decisionQ)
			if w.force(below, decision(label)|decisionQ, &l, &q) {
				w.node(depth+1, 1<<sideQ, l, q)
			} else {
				w.done(len(w.path))
			}
			w.path = w.path[:length]
		}
		if w.failed {
			break
		}
		// The last branch needs no copy.
		w.path = append(w.path, decision(label))
		if !w.force(pair, decision(label), &labels, &inQ) {
			break
		}
		changed = 1 << sideP
	}
	w.done(len(w.path))
}

// choose returns the label to branch over: one whose variables are far from 0
// on both faces, as measured by what could bring them there.
func (w *walker) choose(pair *[2]*tableau, labels labelSet) (label uint8, found bool) {
	var scores [2][2 * MaxStrategies]float64
	for side, t := range pair {
		for r := range t.rows {
			row := t.row(r)
			down := 1e-9
			for _, x := range row[first:] {
				down += max(x, 0)
			}
			scores[side][t.rowVar[r]] = row[constant] / down
		}
	}
	best := -1.0
	for l := range uint8(w.labels) {
		if labels.has(l) {
			continue
		}
		score := scores[sideP][l] + scores[sideQ][l]
		if w.order == ByProduct {
			score = (scores[sideP][l] + 0.01) * (scores[sideQ][l] + 0.01)
		}
		if score > best {
			best, label, found = score, l, true
		}
	}
	return label, found
}

// labelSearch shares a tree out to walkers: one that has nothing to do is handed
// a branch of another, as the decisions that lead there.
type labelSearch struct {
	space    *space
	leaf     func(rows, cols uint64)
	progress *atomic.Uint64 // in units of 1 / progressUnits

	mutex   sync.Mutex
	wake    sync.Cond
	tasks   [][]decision
	busy    int
	hungry  atomic.Int32
	stats   labelStats
	stopped atomic.Bool
	failed  atomic.Bool
}

// progressUnits are what a whole search counts as in units of progress.
const progressUnits = 1 << 60

// run goes through the subtrees of paths with so many walkers. It returns early
// when ctx ends. leaf is called by all of them.
func (s *labelSearch) run(ctx context.Context, threads int, paths [][]decision) (labelStats, error) {
	s.wake.L = &s.mutex
	s.tasks, s.busy = paths, threads
	stop := context.AfterFunc(ctx, func() { s.stopped.Store(true) })
	defer stop()
	var all sync.WaitGroup
	for range threads {
		all.Go(s.work)
	}
	all.Wait()
	if s.failed.Load() {
		return s.stats, errStuck
	}
	return s.stats, ctx.Err()
}

func (s *labelSearch) work() {
	w := newWalker(s.space)
	w.leaf = s.leaf
	w.done = func(depth int) { s.progress.Add(uint64(math.Ldexp(progressUnits, -depth))) }
	w.branch = func(second []decision) bool {
		if s.stopped.Load() {
			w.failed = true
		}
		if s.hungry.Load() == 0 || len(second) > 3*(w.rows+w.cols)/4 {
			return false
		}
		s.mutex.Lock()
		defer s.mutex.Unlock()
		if len(s.tasks) >= int(s.hungry.Load()) {
			return false
		}
		s.tasks = append(s.tasks, append([]decision(nil), second...))
		s.wake.Signal()
		return true
	}
	for {
		path, ok := s.next()
		if !ok {
			break
		}
		w.walk(path)
		if w.failed && !s.stopped.Load() {
			s.failed.Store(true)
			s.stopped.Store(true)
		}
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.stats.add(w.stats)
}

// next waits for a task. There is none when nobody is busy any more.
func (s *labelSearch) next() (path []decision, ok bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.busy--
	s.hungry.Add(1)
	defer s.hungry.Add(-1)
	for {
		switch {
		case s.stopped.Load() || len(s.tasks) == 0 && s.busy <= 0:
			s.wake.Broadcast()
			return nil, false
		case len(s.tasks) > 0:
			path, s.tasks = s.tasks[len(s.tasks)-1], s.tasks[:len(s.tasks)-1]
			s.busy++
			return path, true
		}
		s.wake.Wait()
	}
}
