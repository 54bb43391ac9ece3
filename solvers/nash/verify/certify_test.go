package verify

import (
	"math/bits"
	"testing"

	"gamebots/internal/rng"
	"gamebots/solvers/nash/game"
)

// What is certified in floats is an equilibrium in integers, with the same index, and of the
// equilibria of random games nearly all are certified.
func TestCertify(t *testing.T) {
	certified, equilibria := 0, 0
	for seed := range uint64(400) {
		s := rng.Stream(seed)
		n := 1 + int(s.Uint64()%9)
		span := []int64{1, 2, 8, 1 << 20, 1 << 50}[s.Uint64()%5]
		a, b := make([][]int64, n), make([][]int64, n)
		for i := range n {
			for range n {
				a[i], b[i] = append(a[i], between(&s, 0, span)), append(b[i], between(&s, 0, span))
			}
		}
		if n > 2 && seed%4 == 0 { // nearly the same rows: an ill-conditioned matrix, or a singular one
			copy(a[1], a[0])
			a[1][0] += int64(s.Uint64() % 3)
		}
		g, err := game.New("", a, b)
		if err != nil {
			t.Fatal(err)
		}
		v := New(g)
		for range 300 {
			rows, cols := s.Uint64()&(1<<n-1), s.Uint64()&(1<<n-1)
			if rows == 0 || bits.OnesCount64(rows) != bits.OnesCount64(cols) {
				continue
			}
			want, how := v.bigCandidate(rows, cols)
			got := v.certify(rows, cols)
			if how == Proved {
				equilibria++
			}
			if got == nil {
				continue
			}
			certified++
			if how != Proved || got.Index != want.Index || got.rows != rows || got.cols != cols {
				t.Errorf("seed %d, rows %b, columns %b: certified with index %d, but in integers it is %d: %+v", seed,
					rows, cols, got.Index, how, want)
			}
		}
	}
	if certified < 100 || certified < equilibria*9/10 {
		t.Errorf("%d of %d equilibria are certified", certified, equilibria)
	}
	t.Logf("%d of %d equilibria are certified", certified, equilibria)
}

// between returns an integer in [lo, hi].
func between(s *rng.Stream, lo, hi int64) int64 { return lo + int64(s.Uint64()%uint64(hi-lo+1)) }
