package verify

import (
	"math"
	"math/big"
	"math/bits"
	"slices"
	"testing"

	"gamebots/internal/rng"
	"gamebots/solvers/nash/bimatrix"
)

// A candidate is decided in fixed-size integers as in integers of any size.
func TestFixedCandidate(t *testing.T) {
	decided := map[Verdict]int{}
	for seed := range uint64(400) {
		s := rng.Stream(seed)
		n := 1 + int(s.Uint64()%9)
		low := []int64{0, -5, 1 << 40, -1 << 61}[s.Uint64()%4]
		high := low + []int64{1, 2, 8, 1 << 20, 1 << 50}[s.Uint64()%5]
		a, b := make([][]int64, n), make([][]int64, n)
		for i := range n {
			for range n {
				a[i], b[i] = append(a[i], between(&s, low, high)), append(b[i], between(&s, low, high))
			}
		}
		g, err := bimatrix.New("", a, b)
		if err != nil {
			t.Fatal(err)
		}
		v := New(g)
		if v.A.small == nil {
			t.Fatalf("payoffs from %d to %d are not small", low, high)
		}
		for range 200 {
			rows, cols := s.Uint64()&(1<<n-1), s.Uint64()&(1<<n-1)
			if rows == 0 || bits.OnesCount64(rows) != bits.OnesCount64(cols) {
				continue
			}
			f := fixedSolver{words: v.A.wordsFor(bits.OnesCount64(rows))}
			if f.words == 0 {
				decided[-1]++
				continue
			}
			got, gotHow, done := f.indifferent(v.A, rows, cols)
			if !done {
				decided[-1]++
				continue
			}
			want, how := v.A.indifferentInAnySize(rows, cols)
			decided[how]++
			if how != gotHow || how == Proved && !slices.Equal(texts(got), texts(want)) {
				t.Errorf("seed %d, rows %b, columns %b: %v, Verdict %d, want %v, %d", seed, rows, cols, texts(got),
					gotHow, texts(want), how)
			}
			e, how := v.Candidate(rows, cols)
			if how != Proved {
				continue
			}
			again := *e
			if v.SetIndex(&again); !v.Verify(&again) || again.Index != e.Index ||
				again.Payoffs[0].Cmp(e.Payoffs[0]) != 0 || again.Payoffs[1].Cmp(e.Payoffs[1]) != 0 {
				t.Errorf("seed %d, rows %b, columns %b: %v, verified %v", seed, rows, cols, *e, again)
			}
		}
	}
	for _, how := range []Verdict{Proved, Refuted, Singular, Degenerate} {
		if decided[how] < 10 {
			t.Errorf("Verdict %d came %d times", how, decided[how])
		}
	}
	if decided[-1] > decided[Refuted] {
		t.Errorf("%v: most are not decided in fixed-size integers", decided)
	}
}

// Numbers that do not fit are large, and fractions have small numerators.
func TestLargePayoffs(t *testing.T) {
	for _, test := range []struct {
		payoffs []*big.Rat
		small   bool
	}{
		{[]*big.Rat{big.NewRat(1, 2), big.NewRat(3, 1)}, true},
		{[]*big.Rat{big.NewRat(math.MinInt64, 1), big.NewRat(math.MaxInt64, 1)}, false},
	} {
		p := newMatrix(1, 2, test.payoffs)
		if (p.small != nil) != test.small || p.Entries()[0].Cmp(big.NewInt(1)) != 0 ||
			p.transposed().Entries()[1].Cmp(p.Entries()[1]) != 0 {
			t.Errorf("%v: %v, %v", test.payoffs, p.small, p.Entries())
		}
		one := mixture{num: []*big.Int{big.NewInt(1)}, sum: big.NewInt(1), det: p.Entries()[1]}
		if won := p.payoff(one); won.Cmp(test.payoffs[1]) != 0 {
			t.Errorf("%v: a payoff of %v", test.payoffs, won)
		}
	}
}

// texts returns the numbers of a mixture.
func texts(x mixture) (all []string) {
	for _, n := range append(x.num, x.sum, x.det, big.NewInt(int64(x.detSign))) {
		all = append(all, n.String())
	}
	return all
}

// between returns an integer in [lo, hi].
func between(s *rng.Stream, lo, hi int64) int64 { return lo + int64(s.Uint64()%uint64(hi-lo+1)) }
