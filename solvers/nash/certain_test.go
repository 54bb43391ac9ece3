package nash

import (
	"math/bits"
	"testing"
)

// What is certain in floats is so in integers, with the same index; and of the
// equilibria of random games nearly all are certain.
func TestCertain(t *testing.T) {
	certain, equilibria := 0, 0
	for seed := range uint64(400) {
		s := newStream(seed)
		n := 1 + int(s.next()%9)
		span := []int64{1, 2, 8, 1 << 20, 1 << 50}[s.next()%5]
		a, b := make([][]int64, n), make([][]int64, n)
		for i := range n {
			for range n {
				a[i], b[i] = append(a[i], s.between(0, span)), append(b[i], s.between(0, span))
			}
		}
		if n > 2 && seed%4 == 0 { // nearly the same rows: an ill-conditioned matrix, or a singular one
			copy(a[1], a[0])
			a[1][0] += int64(s.next() % 3)
		}
		g, err := NewGame("", a, b)
		if err != nil {
			t.Fatal(err)
		}
		p := newProver(g)
		for range 300 {
			rows, cols := s.next()&(1<<n-1), s.next()&(1<<n-1)
			if rows == 0 || bits.OnesCount64(rows) != bits.OnesCount64(cols) {
				continue
			}
			want, how := p.largeCandidate(rows, cols)
			got := p.certain(rows, cols)
			if how == isEquilibrium {
				equilibria++
			}
			if got == nil {
				continue
			}
			certain++
			if how != isEquilibrium || got.Index != want.Index || got.rows != rows || got.cols != cols {
				t.Errorf("seed %d, rows %b, columns %b: certain of index %d, but in integers it is %d: %+v", seed, rows, cols, got.Index, how, want)
			}
		}
	}
	if certain < 100 || certain < equilibria*9/10 {
		t.Errorf("%d of %d equilibria are certain", certain, equilibria)
	}
	t.Logf("%d of %d equilibria are certain", certain, equilibria)
}
