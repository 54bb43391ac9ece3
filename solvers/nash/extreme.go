package nash

import (
	"context"
	"math/big"
	"slices"
)

// A dictionary is a tableau in integers, over a common denominator: exact, and
// much slower. Pivots divide without remainder, as Edmonds and Bareiss have it.
type dictionary struct {
	rowVar, colVar []uint8
	a              [][]*big.Int // rows, each with its constant first
	denominator    *big.Int     // positive
}

// newDictionary makes the dictionary of the polytope that newPolytope has.
func newDictionary(at positive, columns, rows int) *dictionary {
	d := &dictionary{denominator: big.NewInt(1)}
	for c := range at.cols {
		d.colVar = append(d.colVar, uint8(columns+c))
	}
	for r := range at.rows {
		d.rowVar = append(d.rowVar, uint8(rows+r))
		d.a = append(d.a, append([]*big.Int{big.NewInt(1)}, at.at()[r*at.cols:][:at.cols]...))
	}
	return d
}

// clone copies what pivots change; numbers themselves are never changed.
func (d *dictionary) clone() *dictionary {
	c := &dictionary{slices.Clone(d.rowVar), slices.Clone(d.colVar), make([][]*big.Int, len(d.a)), d.denominator}
	for r, row := range d.a {
		c.a[r] = slices.Clone(row)
	}
	return c
}

// pivot exchanges the variables of a row and a column whose entry is not 0.
func (d *dictionary) pivot(r, c int) {
	p := d.a[r][1+c]
	sign := p.Sign()
	magnitude := new(big.Int).Abs(p)
	t := new(big.Int)
	for i, row := range d.a {
		if i == r {
			continue
		}
		f := row[1+c]
		for j, x := range row {
			if j == 1+c {
				continue
			}
			y := new(big.Int).Mul(x, magnitude)
			if f.Sign() != 0 {
				t.Mul(f, d.a[r][j])
				if sign > 0 {
					y.Sub(y, t)
				} else {
					y.Add(y, t)
				}
			}
			row[j] = y.Quo(y, d.denominator)
		}
		if sign > 0 {
			f = new(big.Int).Neg(f)
		}
		row[1+c] = f
	}
	row := d.a[r]
	row[1+c] = d.denominator
	if sign < 0 {
		for j, x := range row {
			row[j] = new(big.Int).Neg(x)
		}
	}
	d.denominator = magnitude
	d.rowVar[r], d.colVar[c] = d.colVar[c], d.rowVar[r]
}

func (d *dictionary) forget(c int) {
	d.colVar = slices.Delete(d.colVar, c, c+1)
	for r, row := range d.a {
		d.a[r] = slices.Delete(row, 1+c, 2+c)
	}
}

func (d *dictionary) drop(r int) {
	d.rowVar = slices.Delete(d.rowVar, r, r+1)
	d.a = slices.Delete(d.a, r, r+1)
}

// leaving is the row that a column's variable throws out as it grows: of those
// that reach 0 first the one with the least variable, after Bland, or row r.
func (d *dictionary) leaving(c, r int) int {
	leave := -1
	left, right := new(big.Int), new(big.Int)
	for i, row := range d.a {
		if row[1+c].Sign() <= 0 {
			continue
		}
		if leave < 0 {
			leave = i
			continue
		}
		left.Mul(row[0], d.a[leave][1+c])
		right.Mul(d.a[leave][0], row[1+c])
		if by := left.Cmp(right); by < 0 || by == 0 && leave != r && (i == r || d.rowVar[i] < d.rowVar[leave]) {
			leave = i
		}
	}
	return leave
}

// force narrows the face to where a variable is 0, and says whether it has a
// point.
func (d *dictionary) force(v uint8) bool {
	if c := slices.Index(d.colVar, v); c >= 0 {
		d.forget(c)
		return true
	}
	for {
		r := slices.Index(d.rowVar, v)
		if r < 0 {
			return true // it is 0 already
		}
		enter := -1
		for c, name := range d.colVar {
			if d.a[r][1+c].Sign() > 0 && (enter < 0 || name < d.colVar[enter]) {
				enter = c
			}
		}
		switch {
		case enter >= 0:
			leave := d.leaving(enter, r)
			d.pivot(leave, enter)
			if leave == r {
				d.forget(enter)
				return true
			}
		case d.a[r][0].Sign() > 0:
			return false
		default: // 0 at its least: so are all columns that it grows with
			for c := len(d.colVar) - 1; c >= 0; c-- {
				if d.a[r][1+c].Sign() != 0 {
					d.forget(c)
				}
			}
			d.drop(r)
			return true
		}
	}
}

// tighten forgets the variables that are 0 on all of the face though the dictionary
// does not show it, so that as many columns are left as the face has dimensions.
func (d *dictionary) tighten() {
	for again := true; again; {
		again = false
		for _, v := range slices.Clone(d.colVar) {
			if slices.Contains(d.colVar, v) && !d.canGrow(v) {
				d.force(v)
				again = true
			}
		}
	}
}

// canGrow says whether a variable is positive anywhere on the face: a simplex
// search for its largest value, by Bland's rule, up to the first step that is
// longer than 0.
func (d *dictionary) canGrow(v uint8) bool {
	for {
		enter := slices.Index(d.colVar, v)
		if enter < 0 {
			r := slices.Index(d.rowVar, v)
			if d.a[r][0].Sign() > 0 {
				return true
			}
			for c, name := range d.colVar {
				if d.a[r][1+c].Sign() < 0 && (enter < 0 || name < d.colVar[enter]) {
					enter = c
				}
			}
			if enter < 0 {
				return false
			}
		}
		d.pivot(d.leaving(enter, -1), enter)
	}
}

// zeros returns the variables that are 0 on all of the face, of all that there
// are.
func (d *dictionary) zeros(labels int) (s labelSet) {
	for l := range labels {
		s.add(uint8(l))
	}
	remove := func(v uint8) { s[v>>6] &^= 1 << (v & 63) }
	for _, v := range d.colVar {
		remove(v)
	}
	for r, v := range d.rowVar {
		if slices.ContainsFunc(d.a[r], func(x *big.Int) bool { return x.Sign() != 0 }) {
			remove(v)
		}
	}
	return s
}

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
			down := 1e-9
			for _, x := range d.a[r][1:] {
				down += max(0, d.ratio(x))
			}
			scores[side][v] = d.ratio(d.a[r][0]) / down
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

// ratio returns an entry, divided by the denominator and rounded.
func (d *dictionary) ratio(x *big.Int) float64 {
	f, _ := new(big.Rat).SetFrac(x, d.denominator).Float64()
	return f
}
