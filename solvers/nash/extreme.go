package nash

import (
	"context"
	"math/big"
)

// An extremeSearch finds the extreme equilibria of any game, in integers: labels
// are given to sides as in the search by floats, but for those that are 0 on a
// whole face already; a leaf is a pair of faces all of whose points are
// equilibria of each other, and their vertices are what is searched.
type extremeSearch struct {
	ctx        context.Context
	rows, cols int
	watch      *Watch
	seen       map[[2]labelSet]bool // pairs of faces, by what is 0 on them
	corners    [2]corners
	found      map[[2]int]bool // by the numbers of corners
	nodes      uint64
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

// extreme returns the extreme equilibria of a game, in no order.
func (p *prover) extreme(ctx context.Context, watch *Watch) ([]*Equilibrium, uint64, error) {
	s := &extremeSearch{ctx: ctx, rows: p.a.rows, cols: p.a.cols, watch: watch, seen: map[[2]labelSet]bool{}, found: map[[2]int]bool{}}
	for side := range s.corners {
		s.corners[side] = corners{number: map[string]int{}, of: map[labelSet][]int{}}
	}
	watch.part.Store(0)
	watch.found.Store(0)
	s.node(newDictionary(p.bt, 0, s.rows), newDictionary(p.a, s.rows, 0), progressUnits)
	var all []*Equilibrium
	for pair := range s.found {
		e := &Equilibrium{X: s.corners[sideP].all[pair[sideP]], Y: s.corners[sideQ].all[pair[sideQ]]}
		p.setIndex(e)
		all = append(all, e)
	}
	return all, s.nodes, ctx.Err()
}

// node searches below a pair of faces, which are so much of the search.
func (s *extremeSearch) node(p, q *dictionary, units uint64) {
	if s.nodes++; s.ctx.Err() != nil {
		return
	}
	labels := s.rows + s.cols
	zeros := [2]labelSet{p.zeros(labels), q.zeros(labels)}
	if s.seen[zeros] {
		s.watch.part.Add(units)
		return
	}
	s.seen[zeros] = true
	if l, found := s.choose([2]*dictionary{p, q}, zeros); found {
		for side := range 2 {
			pair := [2]*dictionary{p, q}
			pair[side] = pair[side].clone()
			if pair[side].force(l) {
				s.node(pair[sideP], pair[sideQ], units/2)
			} else {
				s.watch.part.Add(units / 2)
			}
		}
		return
	}
	ys := s.corners[sideQ].list(s.ctx, q, zeros[sideQ], s.rows, s.cols)
	if len(ys) > 0 {
		for _, x := range s.corners[sideP].list(s.ctx, p, zeros[sideP], 0, s.rows) {
			for _, y := range ys {
				s.found[[2]int{x, y}] = true
			}
		}
	}
	s.watch.found.Store(int64(len(s.found)))
	s.watch.part.Add(units)
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
