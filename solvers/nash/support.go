package nash

import (
	"context"
	"math"
	"math/big"
	"math/bits"
	"sync"
	"sync/atomic"
)

// supportSlack is how much a float may be on the wrong side, as a part of what it
// is the sum of, for a pair of supports not to be rejected: what is nearer is
// decided exactly.
const supportSlack = 1e-10

// A supportSearch looks at all pairs of supports of equal size.
type supportSearch struct {
	rows, cols int
	a          []float64 // payoffs of the row player, row by row
	bt         []float64 // of the column player, column by column
	leaf       func(rows, cols uint64)
	progress   *atomic.Uint64

	covers []chan cover // by size
	doubts atomic.Uint64
	next   atomic.Uint64 // a place in the list of row supports
}

func newSupportSearch(p *prover, c *collector) *supportSearch {
	return &supportSearch{rows: p.a.rows, cols: p.a.cols, a: p.a.floats(), bt: p.bt.floats(), leaf: c.leaf, progress: &c.watch.part}
}

// subsets lists the sets of k out of n, in lexicographic order of their lists.
func subsets(n, k int) []uint64 {
	var all []uint64
	var add func(set uint64, from, left int)
	add = func(set uint64, from, left int) {
		if left == 0 {
			all = append(all, set)
			return
		}
		for i := from; i <= n-left; i++ {
			add(set|1<<i, i+1, left-1)
		}
	}
	add(0, 0, k)
	return all
}

// pairs is how many pairs of supports there are.
func (s *supportSearch) pairs() uint64 {
	total := new(big.Int)
	for k := 1; k <= min(s.rows, s.cols); k++ {
		total.Add(total, s.pairsOf(k))
	}
	if !total.IsUint64() {
		return math.MaxUint64
	}
	return total.Uint64()
}

func (s *supportSearch) pairsOf(k int) *big.Int {
	rows := new(big.Int).Binomial(int64(s.rows), int64(k))
	return rows.Mul(rows, new(big.Int).Binomial(int64(s.cols), int64(k)))
}

// makeCovers begins to make covers of column supports in other goroutines, where
// there are not too many columns.
func (s *supportSearch) makeCovers() {
	if s.cols > maxCovered {
		return
	}
	s.covers = make([]chan cover, s.cols)
	for k := 1; k <= min(s.rows, s.cols-1); k++ {
		made := make(chan cover, 1)
		s.covers[k] = made
		go func() { made <- newCover(s.cols, k) }()
	}
}

// cover waits for a cover, or returns nil where there is none.
func (s *supportSearch) cover(k int) cover {
	if k >= len(s.covers) {
		return nil
	}
	return <-s.covers[k]
}

// run looks at all pairs with so many goroutines that share the row supports, or
// as Nguyen did. Sizes that there is no memory to list are far from what there
// is time for.
func (s *supportSearch) run(ctx context.Context, threads int, nguyen bool, pivoting Pivoting) error {
	total, _ := new(big.Float).SetInt(new(big.Int).SetUint64(s.pairs())).Float64()
	if !nguyen {
		s.makeCovers()
	}
	for k := 1; k <= min(s.rows, s.cols); k++ {
		part, _ := new(big.Float).SetInt(s.pairsOf(k)).Float64()
		list := subsets(s.rows, k)
		unit := uint64(progressUnits * (part / total) / float64(len(list)))
		s.next.Store(0)
		c := s.cover(k)
		var all sync.WaitGroup
		for id := range threads {
			all.Go(func() {
				if nguyen {
					s.everyPair(ctx, k, id, threads, pivoting)
					return
				}
				w := s.walk(k, c)
				for ctx.Err() == nil {
					at := s.next.Add(1) - 1
					if at >= uint64(len(list)) {
						break
					}
					w.below(list[at])
					s.progress.Add(unit)
				}
				s.doubts.Add(w.doubted())
			})
		}
		all.Wait()
		if nguyen {
			s.progress.Add(unit * uint64(len(list)))
		}
	}
	return ctx.Err()
}

// A supportWalk looks at all column supports of k for a row support.
type supportWalk interface {
	below(rows uint64)
	doubted() uint64 // pairs that floats did not decide
}

// walk returns ours, or where there are too many columns for a cover, and so few
// rows, one that shares eliminations.
func (s *supportSearch) walk(k int, c cover) supportWalk {
	if s.cols > maxCovered {
		return newColumnTree(s, k)
	}
	return newExchangeWalk(s, k, c)
}

// everyPair is the program of Nguyen (2015), a thread of it: all threads go
// through all pairs of supports of a size in lexicographic order, and each looks
// at those whose number it is by their count. One thread is his serial program.
// Both systems are solved before anything is tested.
func (s *supportSearch) everyPair(ctx context.Context, k, id, threads int, pivoting Pivoting) {
	n, m := newSystem(k, pivoting), newSystem(k, pivoting)
	count := 0
	for rows, ok := firstSubset(k, s.rows); ok; rows, ok = nextSubset(rows, s.rows) {
		if ctx.Err() != nil {
			return
		}
		for cols, ok := firstSubset(k, s.cols); ok; cols, ok = nextSubset(cols, s.cols) {
			count++
			if count%threads != id {
				continue
			}
			xs := n.indifference(s.bt, s.rows, cols, rows)
			ys := m.indifference(s.a, s.cols, rows, cols)
			if xs && ys && n.best(s.bt, s.cols, s.rows) && m.best(s.a, s.rows, s.cols) {
				s.leaf(setOf(rows), setOf(cols))
			}
		}
	}
}

// firstSubset and nextSubset go through lists of k numbers below n.
func firstSubset(k, n int) (list []int, ok bool) {
	list = make([]int, k)
	for i := range list {
		list[i] = i
	}
	return list, k <= n
}

func nextSubset(list []int, n int) ([]int, bool) {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] < n-len(list)+i {
			list[i]++
			for j := i + 1; j < len(list); j++ {
				list[j] = list[j-1] + 1
			}
			return list, true
		}
	}
	return list, false
}

func setOf(list []int) (s uint64) {
	for _, i := range list {
		s |= 1 << i
	}
	return s
}

// Pivoting is how the programs of others keep small pivots away. Ours always
// searches for the largest.
type Pivoting uint32

// Partial pivoting is Nguyen's. Butterflies are the random transformations that he
// names as future work (Baboulin, Dongarra, Herrmann, Tomov 2011): the matrix is
// mixed beforehand from both sides, once, and eliminated without a search.
const (
	Partial Pivoting = iota
	NoPivoting
	Butterflies
)

// A system has the linear equations of a pair of supports of k strategies: the
// other player is indifferent between own replies, at a payoff that is unknown
// too, and probabilities add up to 1.
type system struct {
	k, n     int // n equations, of which one is 0 = 0 where butterflies want an even number
	pivoting Pivoting
	m        []float64 // n rows of n+1
	z        []float64 // probabilities, then the payoff
	support  []int     // whose probabilities they are
	replies  []int
	weights  []float64 // of butterflies
}

func newSystem(k int, pivoting Pivoting) *system {
	n := k + 1
	if pivoting == Butterflies {
		n += n % 2
	}
	s := &system{k: k, n: n, pivoting: pivoting, m: make([]float64, n*(n+1)), z: make([]float64, n), weights: make([]float64, n)}
	for i, rng := 0, newStream(1); i < n; i++ {
		s.weights[i] = 1 + (rng.float()-0.5)/10
	}
	return s
}

// indifference solves sum over c in cols of at[r][c] z_c = u for the rows in rows
// by elimination, and says whether it could.
func (s *system) indifference(at []float64, stride int, rows, cols []int) bool {
	s.replies, s.support = rows, cols
	n, w := s.n, s.n+1
	for i, r := range rows {
		row := s.m[i*w : i*w+w]
		for j, c := range cols {
			row[j] = at[r*stride+c]
		}
		row[s.k] = -1
		for j := s.k + 1; j < w; j++ {
			row[j] = 0
		}
	}
	for i := s.k; i < n; i++ {
		row := s.m[i*w : i*w+w]
		for j := range row {
			row[j] = 0
		}
		if i > s.k {
			row[i] = 1 // 1 z = 0
			continue
		}
		for j := range s.k {
			row[j] = 1
		}
		row[n] = 1
	}
	if s.pivoting == Butterflies {
		s.mix()
	}
	for c := range n {
		p := c
		for r := c + 1; r < n && s.pivoting == Partial; r++ {
			if math.Abs(s.m[r*w+c]) > math.Abs(s.m[p*w+c]) {
				p = r
			}
		}
		if math.Abs(s.m[p*w+c]) < 1e-14 {
			return false
		}
		top, other := s.m[c*w:c*w+w], s.m[p*w:p*w+w]
		if p != c {
			for j := c; j < w; j++ {
				top[j], other[j] = other[j], top[j]
			}
		}
		for r := c + 1; r < n; r++ {
			row := s.m[r*w : r*w+w]
			f := row[c] / top[c]
			for j := c + 1; j < w; j++ {
				row[j] -= f * top[j]
			}
		}
	}
	for r := n - 1; r >= 0; r-- {
		x := s.m[r*w+n]
		for j := r + 1; j < n; j++ {
			x -= s.m[r*w+j] * s.z[j]
		}
		s.z[r] = x / s.m[r*w+r]
	}
	if s.pivoting == Butterflies {
		for i, h := 0, n/2; i < h; i++ {
			a, b := s.weights[i]*s.z[i], s.weights[i+h]*s.z[i+h]
			s.z[i], s.z[i+h] = a+b, a-b
		}
	}
	return true
}

// mix multiplies the matrix by a butterfly from the left, the right side with it,
// and from the right.
func (s *system) mix() {
	n, w, h := s.n, s.n+1, s.n/2
	for i := range h {
		for j := range w {
			a, b := s.m[i*w+j], s.m[(i+h)*w+j]
			s.m[i*w+j], s.m[(i+h)*w+j] = s.weights[i]*(a+b), s.weights[i+h]*(a-b)
		}
	}
	for r := range n {
		for i := range h {
			a, b := s.m[r*w+i], s.m[r*w+i+h]
			s.m[r*w+i], s.m[r*w+i+h] = s.weights[i]*(a+b), s.weights[i+h]*(a-b)
		}
	}
}

// best says whether no probability is negative and no reply better.
func (s *system) best(at []float64, rows, stride int) bool {
	for _, z := range s.z[:s.k] {
		if z < -supportSlack {
			return false
		}
	}
	for r := range rows {
		total := 0.0
		for j, c := range s.support {
			total += at[r*stride+c] * s.z[j]
		}
		if total > s.z[s.k]+supportSlack {
			return false
		}
	}
	return true
}

// members writes the members of a set to a list, which it returns.
func members(list []int, set uint64) []int {
	list = list[:0]
	for ; set != 0; set &= set - 1 {
		list = append(list, bits.TrailingZeros64(set))
	}
	return list
}
