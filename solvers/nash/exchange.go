package nash

import (
	"math"
	"slices"
)

// An exchangeWalk looks at all column supports of k for one row support: our form
// of the method of supports. It goes along a cover with the tableau of the row
// player's payoffs
//
//	variable of a row = constant - sum over columns of entry × column's variable,
//
// where variables are probabilities of the support's columns, times a positive
// number, and what the row support wins more than each other row. All supports
// that differ in one column are read from it: if a column comes in at t, every
// variable changes along a line, and the one that leaves is 0 at this t. So there
// are at most two columns that can leave for it without a negative variable, at
// the ends of the interval of t where none is negative. y is what is solved for
// first, and x only for what is left.
//
// Errors of a tableau are those of where it came along, times the square of its
// largest entry, as both an entry and the pivot before may have grown by that. So
// one with an entry above mostEntry is made anew by elimination; and if there is one
// above mostMade then, it is not read: its support and its neighbours are solved
// each for itself, and so are supports within exchangeBand of being an equilibrium.
// At the end of a part of the cover a point that the tableau should hold for tells
// how large errors were, and if they were too large the part is gone through again,
// each support for itself.
//
// The kernel nash_exchange is its twin on a GPU.
type exchangeWalk struct {
	*supportSearch
	k, out int // columns in the support, and outside
	cover  cover

	m []float64 // rows: support's columns, then rows outside of the row support; columns outside
	// sides are what the right sides have become: ones, and the payoffs at a point
	// of space, the probe.
	sides    [2][]float64
	probe    []float64
	large    bool    // an entry is
	in, outs []uint8 // columns by place
	others   []uint8 // rows outside of the row support
	made     []float64
	negative []int // rows with negative constants

	rows uint64 // the row support
	seen []uint64
	x, y *system
	list [2][]int
	// doubts counts pairs that were solved anew.
	doubts uint64
}

// For random games of 20 by 20 strategies errors are below 1e-12 times the square of
// the largest entry: below 1e-5 where that is mostEntry. mostWrong is an error at
// the end of a part, where entries are far from mostEntry mostly.
const (
	exchangeBand = 1e-5
	mostEntry    = 3000
	mostMade     = 1e5
	mostWrong    = 1e-9
)

func newExchangeWalk(s *supportSearch, k int, c cover) *exchangeWalk {
	w := &exchangeWalk{supportSearch: s, k: k, out: s.cols - k, cover: c, x: newSystem(k, Partial), y: newSystem(k, Partial)}
	w.m = make([]float64, s.rows*w.out)
	for i := range w.sides {
		w.sides[i] = make([]float64, s.rows)
	}
	for c := range s.cols {
		_, part := math.Modf(float64(c+1) * 0.6180339887498949)
		w.probe = append(w.probe, part)
	}
	w.made = make([]float64, k*(s.cols+len(w.sides)))
	return w
}

func (w *exchangeWalk) doubted() uint64 { return w.doubts }

// below looks at all pairs with a row support.
func (w *exchangeWalk) below(set uint64) {
	w.rows, w.seen = set, w.seen[:0]
	w.list[0] = members(w.list[0], set)
	w.others = w.others[:0]
	for r := range w.rowsOf() {
		if set>>r&1 == 0 {
			w.others = append(w.others, uint8(r))
		}
	}
	if w.out == 0 {
		w.solve(1<<w.k - 1)
		return
	}
	for i := range w.cover {
		part := &w.cover[i]
		w.start(part.start)
		w.make()
		w.look()
		for _, e := range part.steps {
			w.step(int(e.out), int(e.in))
			w.look()
		}
		if w.wrong() {
			w.again(part)
		}
	}
}

func (w *exchangeWalk) rowsOf() int { return w.supportSearch.rows }

// start goes to a support, with all columns in order.
func (w *exchangeWalk) start(support uint32) {
	w.in, w.outs = w.in[:0], w.outs[:0]
	for c := range w.cols {
		if support>>c&1 != 0 {
			w.in = append(w.in, uint8(c))
		} else {
			w.outs = append(w.outs, uint8(c))
		}
	}
}

// make makes the tableau of the support by elimination.
func (w *exchangeWalk) make() {
	width := w.cols + len(w.sides) // those in the support, those outside, and right sides
	for i, r := range w.list[0] {
		row := w.made[i*width : i*width+width]
		for j, c := range w.in {
			row[j] = w.a[r*w.cols+int(c)]
		}
		for j, c := range w.outs {
			row[w.k+j] = w.a[r*w.cols+int(c)]
		}
		row[w.cols], row[w.cols+1] = 1, w.atProbe(r)
	}
	for c := range w.k {
		w.eliminate(c, width)
	}
	for i := range w.k {
		row := w.made[i*width : i*width+width]
		copy(w.m[i*w.out:(i+1)*w.out], row[w.k:])
		for s := range w.sides {
			w.sides[s][i] = row[w.cols+s]
		}
	}
	for i, r := range w.others {
		payoffs := w.a[int(r)*w.cols : (int(r)+1)*w.cols]
		row := w.m[(w.k+i)*w.out : (w.k+i+1)*w.out]
		for j, c := range w.outs {
			row[j] = payoffs[c]
		}
		sides := [2]float64{1, w.atProbe(int(r))}
		for p, c := range w.in {
			f := payoffs[c]
			for s := range sides {
				sides[s] -= f * w.sides[s][p]
			}
			for j, x := range w.m[p*w.out : (p+1)*w.out] {
				row[j] -= f * x
			}
		}
		for s, x := range sides {
			w.sides[s][w.k+i] = x
		}
	}
	w.large = slices.ContainsFunc(w.m, func(x float64) bool { return !(math.Abs(x) <= mostMade) })
}

// atProbe returns what a row wins at the probe.
func (w *exchangeWalk) atProbe(r int) (sum float64) {
	for c, x := range w.a[r*w.cols : (r+1)*w.cols] {
		sum += x * w.probe[c]
	}
	return sum
}

// eliminate is a step of Gauss-Jordan elimination.
func (w *exchangeWalk) eliminate(c, width int) {
	p := c
	for i := c + 1; i < w.k; i++ {
		if math.Abs(w.made[i*width+c]) > math.Abs(w.made[p*width+c]) {
			p = i
		}
	}
	top, other := w.made[c*width:c*width+width], w.made[p*width:p*width+width]
	scale := 1 / other[c]
	for j := c; j < width; j++ {
		x := top[j]
		top[j] = other[j]
		if p != c {
			other[j] = x
		}
		top[j] *= scale
	}
	for i := range w.k {
		if i == c {
			continue
		}
		row := w.made[i*width : i*width+width]
		f := row[c]
		for j := c; j < width; j++ {
			row[j] -= f * top[j]
		}
	}
}

// step goes to a neighbour.
func (w *exchangeWalk) step(out, in int) {
	top := w.m[out*w.out : (out+1)*w.out]
	scale := 1 / top[in]
	w.large = false
	for j, x := range top {
		x *= scale
		top[j] = x
		if x > mostEntry || x < -mostEntry {
			w.large = true
		}
	}
	top[in] = scale
	var sides [2]float64
	for s := range sides {
		sides[s] = w.sides[s][out] * scale
	}
	for i := range w.rowsOf() {
		if i == out {
			continue
		}
		row := w.m[i*w.out:][:len(top)]
		f := row[in]
		row[in] = 0
		for j, x := range top {
			x = row[j] - f*x
			row[j] = x
			if x > mostEntry || x < -mostEntry {
				w.large = true
			}
		}
		for s, x := range sides {
			w.sides[s][i] -= f * x
		}
	}
	for s, x := range sides {
		w.sides[s][out] = x
	}
	w.in[out], w.outs[in] = w.outs[in], w.in[out]
	if w.large || math.IsNaN(scale) {
		w.make()
	}
}

// wrong says whether the tableau does not hold at the probe.
func (w *exchangeWalk) wrong() bool {
	for i, x := range w.sides[1] {
		for j, entry := range w.m[i*w.out : (i+1)*w.out] {
			x -= entry * w.probe[w.outs[j]]
		}
		if i < w.k {
			x -= w.probe[w.in[i]]
		}
		if !(math.Abs(x) < mostWrong) {
			return true
		}
	}
	return false
}

// look decides about a support and its neighbours.
func (w *exchangeWalk) look() {
	if w.large {
		w.lookAnew()
		return
	}
	w.negative = w.negative[:0]
	for i, x := range w.sides[0] {
		if x < -exchangeBand {
			w.negative = append(w.negative, i)
		}
	}
	if len(w.negative) == 0 {
		w.solve(w.support())
	}
columns:
	for c := range w.out {
		for _, i := range w.negative {
			if w.m[i*w.out+c] >= exchangeBand {
				continue columns
			}
		}
		w.column(c)
	}
}

// column decides about the neighbours with a column: which variables can leave.
func (w *exchangeWalk) column(c int) {
	from, to := 0.0, math.Inf(1)
	for i, x := range w.sides[0] {
		switch x, entry := x+exchangeBand, w.m[i*w.out+c]-exchangeBand; {
		case entry > 0:
			to = min(to, x/entry)
		case entry < 0:
			from = max(from, x/entry)
		case x < 0:
			return
		}
	}
	if from > to {
		return
	}
	for i := range w.k {
		x, entry := w.sides[0][i], w.m[i*w.out+c]
		if entry < 0 {
			x, entry = -x, -entry
		}
		if (x+exchangeBand) < from*(entry-exchangeBand) || (x-exchangeBand) > to*(entry+exchangeBand) {
			continue
		}
		w.solve(w.support()&^(1<<w.in[i]) | 1<<w.outs[c])
	}
}

func (w *exchangeWalk) support() (set uint64) {
	for _, c := range w.in {
		set |= 1 << c
	}
	return set
}

// again goes through a part of the cover by elimination alone.
func (w *exchangeWalk) again(part *coverPart) {
	w.start(part.start)
	w.lookAnew()
	for _, e := range part.steps {
		w.in[e.out], w.outs[e.in] = w.outs[e.in], w.in[e.out]
		w.lookAnew()
	}
}

// lookAnew solves for a support and all its neighbours.
func (w *exchangeWalk) lookAnew() {
	set := w.support()
	w.solve(set)
	for _, out := range w.in {
		for _, in := range w.outs {
			w.solve(set&^(1<<out) | 1<<in)
		}
	}
}

// solve decides about a pair of supports by elimination, and exactly if that does
// not rule it out.
func (w *exchangeWalk) solve(cols uint64) {
	w.doubts++
	w.list[1] = members(w.list[1], cols)
	if w.y.indifference(w.a, w.cols, w.list[0], w.list[1]) && !w.y.best(w.a, w.rowsOf(), w.cols) {
		return
	}
	if w.x.indifference(w.bt, w.rowsOf(), w.list[1], w.list[0]) && !w.x.best(w.bt, w.cols, w.rowsOf()) {
		return
	}
	for _, seen := range w.seen {
		if seen == cols {
			return
		}
	}
	w.seen = append(w.seen, cols)
	w.leaf(w.rows, cols)
}
