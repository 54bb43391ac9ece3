package extreme

import (
	"context"
	"errors"
	"math/big"
	"sync"
	"sync/atomic"

	"gamebots/solvers/nash/bimatrix"
	"gamebots/solvers/nash/labels"
	"gamebots/solvers/nash/verify"
)

// Options configure a search.
type Options struct {
	Threads int // at least 1
	// OnFound is called with the number of equilibria found so far.
	OnFound func(n int)
	// Progress is called with the share of the whole search that was just done.
	Progress func(part float64)
}

// ErrWrong is returned by Search if it found an equilibrium that is none by definition.
var ErrWrong = errors.New("a pair of vertices is not an equilibrium")

// Search returns the extreme equilibria of a game, in no order, each verified, and the
// number of nodes of its search tree. When ctx ends it returns what was found so far,
// and the error of ctx.
//
// Labels are given to sides as in package labels, but for those whose variable is 0 on
// a whole face already. One goroutine traverses the tree depth first and leaves out
// pairs of faces that it has seen. The others verify equilibria, and prefetch: they
// narrow faces ahead of it. What it visits does not depend on how far they come.
func Search(
	ctx context.Context, v *verify.Verifier, o Options,
) (extreme []verify.Equilibrium, nodes uint64, err error) {
	s := &search{
		Options: o, ctx: ctx, verifier: v, rows: v.A.Rows, cols: v.A.Cols, seen: map[[2]labels.Set]bool{},
		found: map[[2]int]*verify.Equilibrium{},
	}
	s.wake.L = &s.mutex
	for side := range s.vertices {
		s.vertices[side] = vertexList{number: map[string]int{}, of: map[labels.Set][]int{}}
	}
	var all sync.WaitGroup
	for range o.Threads - 1 {
		all.Go(s.help)
	}
	s.node(s.pair(newDictionary(v.BT, 0, s.rows), newDictionary(v.A, s.rows, 0)), 1)
	s.mutex.Lock()
	s.over = true
	s.mutex.Unlock()
	s.wake.Broadcast()
	s.help()
	all.Wait()
	for _, e := range s.found {
		extreme = append(extreme, *e)
	}
	if s.wrong.Load() {
		return extreme, s.nodes, ErrWrong
	}
	return extreme, s.nodes, ctx.Err()
}

type search struct {
	Options
	ctx        context.Context
	verifier   *verify.Verifier
	rows, cols int
	vertices   [2]vertexList                  // vertices of each side's polytope
	found      map[[2]int]*verify.Equilibrium // equilibria, by the numbers of their vertices
	nodes      uint64
	late       int         // equilibria recorded after the end of ctx
	wrong      atomic.Bool // some is no equilibrium

	mutex      sync.Mutex
	wake       sync.Cond
	seen       map[[2]labels.Set]bool // pairs of faces, by zeros
	queue      []*facePair            // to prefetch, the last first
	unverified []*verify.Equilibrium
	over       bool
}

// A facePair is a node of the search tree. Its faces are tightened, so that zeros are
// all variables that are 0 on them, and are not changed any more.
type facePair struct {
	faces [2]*dictionary
	zeros [2]labels.Set
	once  sync.Once
	leaf  bool
	next  [2]*facePair // children of the two sides; nil where a face is empty
}

// A vertexList has the vertices of a polytope's faces that were met.
type vertexList struct {
	all    [][]*big.Rat
	number map[string]int       // place in all of the vertex with a key, see keyOf
	of     map[labels.Set][]int // vertices of the face with these zeros
}

// HasFaces reports whether both polytopes have a point where only these rows and
// columns are played and all of them are best replies.
func HasFaces(v *verify.Verifier, rows, cols uint64) bool {
	x, y := newDictionary(v.BT, 0, v.A.Rows), newDictionary(v.A, v.A.Rows, 0)
	for i := range v.A.Rows {
		d := x
		if rows>>i&1 != 0 {
			d = y
		}
		if !d.force(uint8(i)) {
			return false
		}
	}
	for j := range v.A.Cols {
		d := y
		if cols>>j&1 != 0 {
			d = x
		}
		if !d.force(uint8(v.A.Rows + j)) {
			return false
		}
	}
	return true
}

func (s *search) pair(p, q *dictionary) *facePair {
	n := s.rows + s.cols
	return &facePair{faces: [2]*dictionary{p, q}, zeros: [2]labels.Set{p.zeros(n), q.zeros(n)}}
}

// node searches below a pair of faces, which are a part of the whole search.
func (s *search) node(f *facePair, part float64) {
	if s.nodes++; s.ctx.Err() != nil {
		return
	}
	s.mutex.Lock()
	seen := s.seen[f.zeros]
	s.seen[f.zeros] = true
	s.mutex.Unlock()
	if seen {
		s.Progress(part)
		return
	}
	if s.branch(f); f.leaf {
		s.leaf(f)
		s.Progress(part)
		return
	}
	for _, next := range f.next {
		if next != nil {
			s.node(next, part/2)
		} else {
			s.Progress(part / 2)
		}
	}
	f.next = [2]*facePair{} // for the garbage collector
}

// branch makes the nodes below a pair of faces, unless another goroutine has.
func (s *search) branch(f *facePair) {
	f.once.Do(func() {
		l, found := s.choose(f.faces, f.zeros)
		if !found {
			f.leaf = true
			return
		}
		for side := range 2 {
			pair := f.faces
			pair[side] = pair[side].clone()
			if pair[side].force(l) {
				pair[side].tighten()
				f.next[side] = s.pair(pair[labels.SideP], pair[labels.SideQ])
			}
		}
		s.mutex.Lock()
		defer s.mutex.Unlock()
		for _, next := range f.next {
			if next != nil && len(s.queue) < maxQueue {
				s.queue = append(s.queue, next)
				s.wake.Signal()
			}
		}
	})
}

// maxQueue is how many nodes may wait to be prefetched.
const maxQueue = 1 << 10

// help verifies equilibria, and branches at nodes that the search will probably visit.
func (s *search) help() {
	for {
		for s.verify(0) {
		}
		s.mutex.Lock()
		for !s.over && len(s.queue)+len(s.unverified) == 0 {
			s.wake.Wait()
		}
		switch {
		case len(s.unverified) > 0:
			s.mutex.Unlock()
			continue
		case s.over:
			s.mutex.Unlock()
			return
		}
		last := len(s.queue) - 1
		f := s.queue[last]
		s.queue[last], s.queue = nil, s.queue[:last]
		seen := s.seen[f.zeros]
		s.mutex.Unlock()
		if !seen {
			s.branch(f)
		}
	}
}

// Bounds of the work that is left to do when ctx ends.
const (
	maxUnverified = 64  // equilibria that may wait to be verified
	maxLate       = 200 // equilibria of the last two faces that are recorded
)

// verify verifies an equilibrium if more than some are not, and reports whether it did.
func (s *search) verify(more int) bool {
	s.mutex.Lock()
	last := len(s.unverified) - 1
	if last < more {
		s.mutex.Unlock()
		return false
	}
	e := s.unverified[last]
	s.unverified = s.unverified[:last]
	s.mutex.Unlock()
	s.verifier.SetIndex(e)
	if !s.verifier.Verify(e) {
		s.wrong.Store(true)
	}
	return true
}

// leaf records the vertices of two faces, which are equilibria of each other.
func (s *search) leaf(f *facePair) {
	ys := s.vertices[labels.SideQ].list(s.ctx, f.faces[labels.SideQ], f.zeros[labels.SideQ], s.rows, s.cols)
	if len(ys) > 0 {
		for _, x := range s.vertices[labels.SideP].list(s.ctx, f.faces[labels.SideP], f.zeros[labels.SideP], 0,
			s.rows) {
			for _, y := range ys {
				if s.ctx.Err() != nil {
					s.late++
				}
				if s.late > maxLate {
					return
				}
				s.record([2]int{x, y})
			}
		}
	}
	s.OnFound(len(s.found))
}

// record records an equilibrium of two vertices.
func (s *search) record(pair [2]int) {
	if s.found[pair] != nil {
		return
	}
	e := &verify.Equilibrium{
		X: s.vertices[labels.SideP].all[pair[labels.SideP]], Y: s.vertices[labels.SideQ].all[pair[labels.SideQ]],
	}
	s.found[pair] = e
	s.mutex.Lock()
	s.unverified = append(s.unverified, e)
	s.mutex.Unlock()
	s.wake.Signal()
	for s.verify(maxUnverified) {
	}
}

// list returns the numbers of a face's vertices, whose coordinates are n variables
// from first on.
func (c *vertexList) list(ctx context.Context, face *dictionary, zeros labels.Set, first, n int) []int {
	if list, ok := c.of[zeros]; ok {
		return list
	}
	var list []int
	for _, z := range face.vertices(ctx, first, n) {
		key := keyOf(z)
		i, ok := c.number[key]
		if !ok {
			i = len(c.all)
			c.number[key], c.all = i, append(c.all, z)
		}
		list = append(list, i)
	}
	c.of[zeros] = list
	return list
}

// choose returns the label to branch over: the one closest to being impossible, as in
// package labels. Floats are good enough to choose by.
func (s *search) choose(pair [2]*dictionary, zeros [2]labels.Set) (label uint8, found bool) {
	var scores [2][2 * bimatrix.MaxStrategies]float64
	for side, d := range pair {
		for r, v := range d.rowVar {
			scores[side][v] = d.fixity(r)
		}
	}
	best := -1.0
	for l := range uint8(s.rows + s.cols) {
		score := scores[labels.SideP][l] + scores[labels.SideQ][l]
		if !zeros[labels.SideP].Has(l) && !zeros[labels.SideQ].Has(l) && score > best {
			best, label, found = score, l, true
		}
	}
	return label, found
}
