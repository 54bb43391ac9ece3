package supports

import (
	"math"

	"gamebots/internal/rng"
)

// Pivoting is how Nguyen's and Grosu's programs avoid small pivots.
type Pivoting uint32

// The kinds of pivoting. Butterflies are the random transformations that Nguyen names
// as future work (Baboulin, Dongarra, Herrmann and Tomov 2011): the matrix is
// multiplied by one from each side and then eliminated without pivoting.
const (
	Partial Pivoting = iota // Nguyen's own
	NoPivoting
	Butterflies
)

// A system is one side of a pair of supports of k strategies. Its linear equations
// are that the replying player is indifferent, at an unknown payoff, and that the
// probabilities add up to 1.
type system struct {
	k, n     int // n equations: k+1, and 1 z = 0 where butterflies need an even number
	pivoting Pivoting
	m        []float64 // n rows of n+1
	z        []float64 // probabilities, then the payoff
	support  []int     // whose probabilities they are
	weights  []float64 // diagonals of the butterflies
}

func newSystem(k int, pivoting Pivoting) *system {
	n := k + 1
	if pivoting == Butterflies {
		n += n % 2
	}
	s := &system{
		k: k, n: n, pivoting: pivoting, m: make([]float64, n*(n+1)), z: make([]float64, n), weights: make([]float64, n),
	}
	for i, weights := 0, rng.Stream(1); i < n; i++ {
		s.weights[i] = 1 + (weights.Float64()-0.5)/10
	}
	return s
}

// solve solves sum over c in cols of at[r][c] z_c = u for the rows in rows by
// elimination. It reports whether the matrix is regular.
func (s *system) solve(at []float64, stride int, rows, cols []int) bool {
	s.support = cols
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
			row[i] = 1
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

// mix multiplies the matrix by a butterfly from both sides, and the right-hand side
// from the left.
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

// feasible reports whether no probability is negative and no reply is better, within
// slack.
func (s *system) feasible(at []float64, rows, stride int) bool {
	for _, z := range s.z[:s.k] {
		if z < -slack {
			return false
		}
	}
	for r := range rows {
		total := 0.0
		for j, c := range s.support {
			total += at[r*stride+c] * s.z[j]
		}
		if total > s.z[s.k]+slack {
			return false
		}
	}
	return true
}
