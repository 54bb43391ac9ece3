package nash

import (
	"context"
	"math/big"
	"sync"
)

// An extremeSearch finds the extreme equilibria of any game, in integers: labels
// are given to sides as in the search by floats, but for those that are 0 on a
// whole face already; a leaf is a pair of faces all of whose points are
// equilibria of each other, and their vertices are what is searched.
//
// One goroutine goes through the tree, depth first, and leaves out pairs of faces
// that it has seen. Others go ahead of it, so that it finds branches narrowed
// already; what it does does not depend on how far they come.
type extremeSearch struct {
	ctx        context.Context
	rows, cols int
	watch      *Watch
	corners    [2]corners
	found      map[[2]int]bool // by the numbers of corners
	nodes      uint64

	mutex sync.Mutex
	wake  sync.Cond
	seen  map[[2]labelSet]bool // pairs of faces, by what is 0 on them
	ahead []*facePair          // to be gone to, the last first
	over  bool
}

// A facePair is a node of the search. Its faces are tightened, so that zeros are all
// variables that are 0, and nobody changes them.
type facePair struct {
	faces [2]*dictionary
	zeros [2]labelSet
	once  sync.Once
	leaf  bool
	next  [2]*facePair // by side, nil where a face is empty
}

// corners are the vertices of the faces of a polytope that were met.
type corners struct {
	all    [][]*big.Rat
	number map[string]int     // by keyOf, its place in all
	of     map[labelSet][]int // of a face, by what is 0 on it
}

// hasFaces says whether both polytopes have a point where only these rows and
// columns are played, and all of them are best replies.
func (p *prover) hasFaces(rows, cols uint64) bool {
	x, y := newDictionary(p.bt, 0, p.a.rows), newDictionary(p.a, p.a.rows, 0)
	for i := range p.a.rows {
		d := x
		if rows>>i&1 != 0 {
			d = y
		}
		if !d.force(uint8(i)) {
			return false
		}
	}
	for j := range p.a.cols {
		d := y
		if cols>>j&1 != 0 {
			d = x
		}
		if !d.force(uint8(p.a.rows + j)) {
			return false
		}
	}
	return true
}

// extreme returns the extreme equilibria of a game, in no order, with so many
// goroutines.
func (p *prover) extreme(ctx context.Context, threads int, watch *Watch) ([]*Equilibrium, uint64, error) {
	s := &extremeSearch{ctx: ctx, rows: p.a.rows, cols: p.a.cols, watch: watch, seen: map[[2]labelSet]bool{}, found: map[[2]int]bool{}}
	s.wake.L = &s.mutex
	for side := range s.corners {
		s.corners[side] = corners{number: map[string]int{}, of: map[labelSet][]int{}}
	}
	watch.part.Store(0)
	watch.found.Store(0)
	var all sync.WaitGroup
	for range threads - 1 {
		all.Go(s.goAhead)
	}
	s.node(s.pair(newDictionary(p.bt, 0, s.rows), newDictionary(p.a, s.rows, 0)), progressUnits)
	s.mutex.Lock()
	s.over = true
	s.mutex.Unlock()
	s.wake.Broadcast()
	all.Wait()
	var extreme []*Equilibrium
	for pair := range s.found {
		e := &Equilibrium{X: s.corners[sideP].all[pair[sideP]], Y: s.corners[sideQ].all[pair[sideQ]]}
		p.setIndex(e)
		extreme = append(extreme, e)
	}
	return extreme, s.nodes, ctx.Err()
}

func (s *extremeSearch) pair(p, q *dictionary) *facePair {
	labels := s.rows + s.cols
	return &facePair{faces: [2]*dictionary{p, q}, zeros: [2]labelSet{p.zeros(labels), q.zeros(labels)}}
}

// node searches below a pair of faces, which are so much of the search.
func (s *extremeSearch) node(f *facePair, units uint64) {
	if s.nodes++; s.ctx.Err() != nil {
		return
	}
	s.mutex.Lock()
	seen := s.seen[f.zeros]
	s.seen[f.zeros] = true
	s.mutex.Unlock()
	if seen {
		s.watch.part.Add(units)
		return
	}
	if s.branch(f); f.leaf {
		s.leaf(f)
		s.watch.part.Add(units)
		return
	}
	for _, next := range f.next {
		if next != nil {
			s.node(next, units/2)
		} else {
			s.watch.part.Add(units / 2)
		}
	}
	f.next = [2]*facePair{} // nobody needs them any more
}

// branch makes the nodes below a pair of faces, if nobody has.
func (s *extremeSearch) branch(f *facePair) {
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
				f.next[side] = s.pair(pair[sideP], pair[sideQ])
			}
		}
		s.mutex.Lock()
		defer s.mutex.Unlock()
		for _, next := range f.next {
			if next != nil && len(s.ahead) < mostAhead {
				s.ahead = append(s.ahead, next)
				s.wake.Signal()
			}
		}
	})
}

// mostAhead is how many nodes may wait for who goes ahead.
const mostAhead = 1 << 10

// goAhead branches at nodes that the search will come to, or most likely.
func (s *extremeSearch) goAhead() {
	for {
		s.mutex.Lock()
		for !s.over && len(s.ahead) == 0 {
			s.wake.Wait()
		}
		if s.over {
			s.mutex.Unlock()
			return
		}
		last := len(s.ahead) - 1
		f := s.ahead[last]
		s.ahead[last], s.ahead = nil, s.ahead[:last]
		seen := s.seen[f.zeros]
		s.mutex.Unlock()
		if !seen {
			s.branch(f)
		}
	}
}

// leaf takes the vertices of two faces, which are equilibria of each other.
func (s *extremeSearch) leaf(f *facePair) {
	ys := s.corners[sideQ].list(s.ctx, f.faces[sideQ], f.zeros[sideQ], s.rows, s.cols)
	if len(ys) > 0 {
		for _, x := range s.corners[sideP].list(s.ctx, f.faces[sideP], f.zeros[sideP], 0, s.rows) {
			for _, y := range ys {
				s.found[[2]int{x, y}] = true
			}
		}
	}
	s.watch.found.Store(int64(len(s.found)))
}

// list returns the numbers of a face's vertices; n variables from first on are
// their coordinates.
func (c *corners) list(ctx context.Context, face *dictionary, zeros labelSet, first, n int) []int {
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

// choose returns the label to branch over that is nearest to being impossible on
// either side, as in the search by floats. Floats are good enough to choose by.
func (s *extremeSearch) choose(pair [2]*dictionary, zeros [2]labelSet) (label uint8, found bool) {
	var scores [2][2 * MaxStrategies]float64
	for side, d := range pair {
		for r, v := range d.rowVar {
			scores[side][v] = d.fixity(r)
		}
	}
	best := -1.0
	for l := range uint8(s.rows + s.cols) {
		score := scores[sideP][l] + scores[sideQ][l]
		if !zeros[sideP].has(l) && !zeros[sideQ].has(l) && score > best {
			best, label, found = score, l, true
		}
	}
	return label, found
}
