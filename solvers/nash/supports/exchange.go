package supports

import (
	"math"
	"slices"

	"gamebots/solvers/nash/game"
)

// An exchangeSearch searches all column supports of k for a row support. It follows a
// covering walk with the tableau of the row player's payoffs
//
//	variable of a row = constant - sum over columns of entry × column's variable.
//
// Its variables are the probabilities of the support's columns, times a positive
// number, and by how much the row support wins more than each other row. All supports
// that differ in one column are read from it. If a column enters at t, every
// variable changes along a line, and the column that leaves is 0 at this t. So at
// most two columns can leave without a negative variable: those at the bounds of the
// interval of t where none is negative. x is solved only for supports whose y is
// nonnegative.
//
// The error of a tableau is that of the path to it times the square of its largest
// entry, as both an entry and the pivot before may have grown by that factor. A
// tableau with an entry above maxEntry is therefore made again by elimination. If it
// then has an entry above maxFreshEntry, it is not read, and its support and all
// neighbours are solved by themselves. So are supports within exchangeBand of being
// an equilibrium. At the end of a segment the error is measured at a known point, the
// probe. If it exceeds maxError, the segment is searched again, each support by
// itself.
//
// It is the CPU reference implementation of the kernel nash_exchange.
type exchangeSearch struct {
	*search
	k, outside int // columns in the support, and outside
	walk       coveringWalk

	// m is the tableau. Its rows are the support's columns, then the rows outside of
	// the row support; its columns are those outside of the support.
	m []float64
	// sides are the right-hand sides after elimination: of ones, and of the payoffs at
	// the probe.
	sides    [2][]float64
	probe    []float64
	large    bool    // the tableau has an entry that is too large
	in, outs []uint8 // columns by index: in the support, and outside
	others   []uint8 // rows outside of the row support
	scratch  []float64
	negative []int // rows with negative constants

	rowSet    uint64   // the row support
	seen      []uint64 // column supports that are candidates already
	x, y      *system
	list      [2][]int // the supports that are being solved
	undecided uint64   // pairs that were solved by themselves
}

// For random games of 20 by 20 strategies errors are below 1e-12 times the square of
// the largest entry, so below 1e-5 up to maxEntry. At the end of a segment entries
// are usually far below maxEntry, and maxError is smaller.
const (
	exchangeBand  = 1e-5
	maxEntry      = 3000
	maxFreshEntry = 1e5
	maxError      = 1e-9
)

func newExchangeSearch(s *search, k int, walk coveringWalk) *exchangeSearch {
	w := &exchangeSearch{
		search: s, k: k, outside: s.cols - k, walk: walk, x: newSystem(k, Partial), y: newSystem(k, Partial),
	}
	w.m = make([]float64, s.rows*w.outside)
	for i := range w.sides {
		w.sides[i] = make([]float64, s.rows)
	}
	for c := range s.cols {
		_, part := math.Modf(float64(c+1) * 0.6180339887498949)
		w.probe = append(w.probe, part)
	}
	w.scratch = make([]float64, k*(s.cols+len(w.sides)))
	return w
}

func (w *exchangeSearch) ambiguous() uint64 { return w.undecided }

// searchColumns searches all pairs with a row support.
func (w *exchangeSearch) searchColumns(set uint64) {
	w.rowSet, w.seen = set, w.seen[:0]
	w.list[0] = game.AppendMembers(w.list[0][:0], set)
	w.others = w.others[:0]
	for r := range w.rows {
		if set>>r&1 == 0 {
			w.others = append(w.others, uint8(r))
		}
	}
	if w.outside == 0 {
		w.solve(1<<w.k - 1)
		return
	}
	for i := range w.walk {
		if w.stopped.Load() {
			return
		}
		part := &w.walk[i]
		w.start(part.start)
		w.eliminate()
		w.read()
		for _, e := range part.steps {
			w.step(int(e.out), int(e.in))
			w.read()
		}
		if w.inaccurate() {
			w.solveSegment(part)
		}
	}
}

// start moves to a support, with both lists of columns ascending.
func (w *exchangeSearch) start(support uint32) {
	w.in, w.outs = w.in[:0], w.outs[:0]
	for c := range w.cols {
		if support>>c&1 != 0 {
			w.in = append(w.in, uint8(c))
		} else {
			w.outs = append(w.outs, uint8(c))
		}
	}
}

// eliminate makes the tableau of the support by elimination.
func (w *exchangeSearch) eliminate() {
	width := w.cols + len(w.sides) // columns in the support, columns outside, right-hand sides
	for i, r := range w.list[0] {
		row := w.scratch[i*width : i*width+width]
		for j, c := range w.in {
			row[j] = w.a[r*w.cols+int(c)]
		}
		for j, c := range w.outs {
			row[w.k+j] = w.a[r*w.cols+int(c)]
		}
		row[w.cols], row[w.cols+1] = 1, w.atProbe(r)
	}
	for c := range w.k {
		w.eliminateColumn(c, width)
	}
	for i := range w.k {
		row := w.scratch[i*width : i*width+width]
		copy(w.m[i*w.outside:(i+1)*w.outside], row[w.k:])
		for s := range w.sides {
			w.sides[s][i] = row[w.cols+s]
		}
	}
	for i, r := range w.others {
		payoffs := w.a[int(r)*w.cols : (int(r)+1)*w.cols]
		row := w.m[(w.k+i)*w.outside : (w.k+i+1)*w.outside]
		for j, c := range w.outs {
			row[j] = payoffs[c]
		}
		sides := [2]float64{1, w.atProbe(int(r))}
		for p, c := range w.in {
			f := payoffs[c]
			for s := range sides {
				sides[s] -= f * w.sides[s][p]
			}
			for j, x := range w.m[p*w.outside : (p+1)*w.outside] {
				row[j] -= f * x
			}
		}
		for s, x := range sides {
			w.sides[s][w.k+i] = x
		}
	}
	w.large = slices.ContainsFunc(w.m, func(x float64) bool { return !(math.Abs(x) <= maxFreshEntry) })
}

// atProbe returns the payoff of a row at the probe.
func (w *exchangeSearch) atProbe(r int) (sum float64) {
	for c, x := range w.a[r*w.cols : (r+1)*w.cols] {
		sum += x * w.probe[c]
	}
	return sum
}

// eliminateColumn is a step of Gauss-Jordan elimination.
func (w *exchangeSearch) eliminateColumn(c, width int) {
	p := c
	for i := c + 1; i < w.k; i++ {
		if math.Abs(w.scratch[i*width+c]) > math.Abs(w.scratch[p*width+c]) {
			p = i
		}
	}
	top, other := w.scratch[c*width:c*width+width], w.scratch[p*width:p*width+width]
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
		row := w.scratch[i*width : i*width+width]
		f := row[c]
		for j := c; j < width; j++ {
			row[j] -= f * top[j]
		}
	}
}

// step moves to a neighbour.
func (w *exchangeSearch) step(out, in int) {
	top := w.m[out*w.outside : (out+1)*w.outside]
	scale := 1 / top[in]
	w.large = false
	for j, x := range top {
		x *= scale
		top[j] = x
		if x > maxEntry || x < -maxEntry {
			w.large = true
		}
	}
	top[in] = scale
	var sides [2]float64
	for s := range sides {
		sides[s] = w.sides[s][out] * scale
	}
	for i := range w.rows {
		if i == out {
			continue
		}
		row := w.m[i*w.outside:][:len(top)]
		f := row[in]
		row[in] = 0
		for j, x := range top {
			x = row[j] - f*x
			row[j] = x
			if x > maxEntry || x < -maxEntry {
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
		w.eliminate()
	}
}

// inaccurate reports whether the tableau's error at the probe exceeds maxError.
func (w *exchangeSearch) inaccurate() bool {
	for i, x := range w.sides[1] {
		for j, entry := range w.m[i*w.outside : (i+1)*w.outside] {
			x -= entry * w.probe[w.outs[j]]
		}
		if i < w.k {
			x -= w.probe[w.in[i]]
		}
		if !(math.Abs(x) < maxError) {
			return true
		}
	}
	return false
}

// read decides about a support and its neighbours from the tableau.
func (w *exchangeSearch) read() {
	if w.large {
		w.solveAround()
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
	for c := range w.outside {
		for _, i := range w.negative {
			if w.m[i*w.outside+c] >= exchangeBand {
				continue columns
			}
		}
		w.column(c)
	}
}

// column decides about the neighbours with a column of the outside: which of the
// support's columns can leave for it.
func (w *exchangeSearch) column(c int) {
	from, to := 0.0, math.Inf(1)
	for i, x := range w.sides[0] {
		switch x, entry := x+exchangeBand, w.m[i*w.outside+c]-exchangeBand; {
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
		x, entry := w.sides[0][i], w.m[i*w.outside+c]
		if entry < 0 {
			x, entry = -x, -entry
		}
		if (x+exchangeBand) < from*(entry-exchangeBand) || (x-exchangeBand) > to*(entry+exchangeBand) {
			continue
		}
		w.solve(w.support()&^(1<<w.in[i]) | 1<<w.outs[c])
	}
}

func (w *exchangeSearch) support() (set uint64) {
	for _, c := range w.in {
		set |= 1 << c
	}
	return set
}

// solveSegment searches a segment without a tableau.
func (w *exchangeSearch) solveSegment(part *segment) {
	w.start(part.start)
	w.solveAround()
	for _, e := range part.steps {
		w.in[e.out], w.outs[e.in] = w.outs[e.in], w.in[e.out]
		w.solveAround()
	}
}

// solveAround solves the support and all its neighbours.
func (w *exchangeSearch) solveAround() {
	set := w.support()
	w.solve(set)
	for _, out := range w.in {
		for _, in := range w.outs {
			w.solve(set&^(1<<out) | 1<<in)
		}
	}
}

// solve solves a pair of supports by itself, and makes it a candidate unless that
// rules it out.
func (w *exchangeSearch) solve(cols uint64) {
	w.undecided++
	w.list[1] = game.AppendMembers(w.list[1][:0], cols)
	if w.y.solve(w.a, w.cols, w.list[0], w.list[1]) && !w.y.feasible(w.a, w.rows, w.cols) {
		return
	}
	if w.x.solve(w.bt, w.rows, w.list[1], w.list[0]) && !w.x.feasible(w.bt, w.cols, w.rows) {
		return
	}
	for _, seen := range w.seen {
		if seen == cols {
			return
		}
	}
	w.seen = append(w.seen, cols)
	w.OnCandidate(w.rowSet, cols)
}
