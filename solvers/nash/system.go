package nash

import "math"

// A system is one side of a pair of supports of k strategies. Its linear equations
// are that the replying player is indifferent, at an unknown payoff, and that the
// probabilities add up to 1.
type system struct {
	k, n    int       // n = k+1 equations
	m       []float64 // n rows of n+1
	z       []float64 // probabilities, then the payoff
	support []int     // whose probabilities they are
}

func newSystem(k int) *system {
	n := k + 1
	return &system{k: k, n: n, m: make([]float64, n*(n+1)), z: make([]float64, n)}
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
		row[s.k], row[n] = -1, 0
	}
	last := s.m[s.k*w : s.k*w+w]
	for j := range s.k {
		last[j] = 1
	}
	last[s.k], last[n] = 0, 1
	for c := range n {
		p := c
		for r := c + 1; r < n; r++ {
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
	return true
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
