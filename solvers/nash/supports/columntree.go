package supports

import (
	"math"

	"gamebots/solvers/nash/game"
)

// A columnTree searches all column supports of k for a row support, in games with
// too many columns for an exchangeSearch. It descends a tree of subsets. Each chosen
// column is eliminated by a Gauss-Jordan step on the columns behind it, which all
// supports with this beginning share. The last two columns are tried in pairs by
// Cramer's rule, without a division. A support is rejected at the first negative
// probability of y; x is solved only for those that are left.
type columnTree struct {
	*search
	k         int
	levels    [][]float64 // levels[n], with n columns eliminated: k rows of cols payoffs and a 1
	inside    []int       // the row support
	chosen    []int       // the eliminated columns
	value     []float64   // values of the columns of a pair, times |det|
	undecided uint64
	x         *system
}

func newColumnTree(s *search, k int) *columnTree {
	t := &columnTree{search: s, k: k, chosen: make([]int, 0, k), value: make([]float64, k), x: newSystem(k, Partial)}
	for range max(1, k-1) {
		t.levels = append(t.levels, make([]float64, k*(s.cols+1)))
	}
	return t
}

func (t *columnTree) ambiguous() uint64 { return t.undecided }

// tiny is the size below which a pivot counts as 0.
const tiny = 1e-10

// searchColumns searches all pairs with a row support.
func (t *columnTree) searchColumns(set uint64) {
	t.inside = game.AppendMembers(t.inside[:0], set)
	w := t.cols + 1
	for s, r := range t.inside {
		row := t.levels[0][s*w : s*w+w]
		copy(row, t.a[r*t.cols:(r+1)*t.cols])
		row[t.cols] = 1
	}
	t.chosen = t.chosen[:0]
	if t.k == 1 {
		for c := range t.cols {
			t.value[0] = 1
			t.chosen = append(t.chosen[:0], c)
			t.replies(set, t.levels[0][c])
		}
		return
	}
	t.descend(set, 0, 0)
}

// descend searches the supports that begin with the chosen columns; the others are
// from column `from` on.
func (t *columnTree) descend(set uint64, depth, from int) {
	switch {
	case t.stopped.Load():
		return
	case depth == t.k-2:
		t.pairs(set, from)
		return
	}
	w := t.cols + 1
	now, next := t.levels[depth], t.levels[depth+1]
	for c := from; c <= t.cols-(t.k-depth); c++ {
		p, size := depth, 0.0
		for s := depth; s < t.k; s++ {
			if x := math.Abs(now[s*w+c]); x > size {
				p, size = s, x
			}
		}
		t.chosen = append(t.chosen, c)
		if size < tiny {
			t.singular(set, c+1)
		} else {
			pivot := next[depth*w+c+1 : depth*w+w]
			scale := 1 / now[p*w+c]
			for j, x := range now[p*w+c+1 : p*w+w] {
				pivot[j] = x * scale
			}
			for s := range t.k {
				if s == depth {
					continue
				}
				from := s
				if s == p {
					from = depth // exchanged with the pivot's row
				}
				f := now[from*w+c]
				source, to := now[from*w+c+1:from*w+w], next[s*w+c+1:s*w+w]
				for j, x := range pivot {
					to[j] = source[j] - f*x
				}
			}
			t.descend(set, depth+1, c+1)
		}
		t.chosen = t.chosen[:depth]
	}
}

// singular makes candidates of all supports that begin with the chosen columns, which
// are linearly dependent within rounding errors.
func (t *columnTree) singular(set uint64, from int) {
	t.undecided++
	for _, rest := range subsets(t.cols-from, t.k-len(t.chosen)) {
		if t.stopped.Load() {
			return
		}
		t.OnCandidate(set, game.SetOf(t.chosen)|rest<<from)
	}
}

// pairs tries all pairs of columns as the last two.
func (t *columnTree) pairs(set uint64, from int) {
	k, w := t.k, t.cols+1
	rows := t.levels[k-2]
	r1, r2 := rows[(k-2)*w:(k-1)*w], rows[(k-1)*w:k*w]
	b1, b2 := r1[w-1], r2[w-1]
	t.chosen = append(t.chosen, 0, 0)
	for c := from; c < t.cols; c++ {
		p1, p2 := r1[c], r2[c]
		inC := p1*b2 - b1*p2 // numerator of column j's value
	later:
		for j := c + 1; j < t.cols; j++ {
			q1, q2 := r1[j], r2[j]
			det, zc, zj := p1*q2-q1*p2, b1*q2-q1*b2, inC
			if det < 0 {
				det, zc, zj = -det, -zc, -zj
			}
			if zc < 0 && zc < -slack*(math.Abs(b1*q2)+math.Abs(q1*b2)) {
				continue
			}
			if zj < 0 && zj < -slack*(math.Abs(p1*b2)+math.Abs(b1*p2)) {
				continue
			}
			for s := range k - 2 {
				row := rows[s*w : s*w+w]
				b, p, q := det*row[w-1], row[c]*zc, row[j]*zj
				z := b - p - q
				if z < 0 && z < -slack*(math.Abs(b)+math.Abs(p)+math.Abs(q)) {
					continue later
				}
				t.value[s] = z
			}
			t.value[k-2], t.value[k-1] = zc, zj
			t.chosen[k-2], t.chosen[k-1] = c, j
			t.replies(set, det)
		}
	}
	t.chosen = t.chosen[:k-2]
}

// replies makes a candidate of the chosen columns, unless a row outside of the support
// is a better reply or there is no x for them.
func (t *columnTree) replies(set uint64, det float64) {
	smallest := det
	for _, z := range t.value[:t.k] {
		smallest = min(smallest, z)
	}
	if smallest < slack*det || det < tiny {
		t.undecided++
	}
	for r := range t.rows {
		if set>>r&1 != 0 {
			continue
		}
		total := 0.0
		for i, c := range t.chosen {
			total += t.a[r*t.cols+c] * t.value[i]
		}
		if total > det && total > det*(1+slack) {
			return
		}
	}
	if !t.x.solve(t.bt, t.rows, t.chosen, t.inside) || t.x.feasible(t.bt, t.cols, t.rows) {
		t.OnCandidate(set, game.SetOf(t.chosen))
	}
}
