package verify

import (
	"math"
	"math/big"
	"math/bits"
	"testing"

	"gamebots/internal/rng"
	"gamebots/solvers/nash/game"
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
		g, err := game.New("", a, b)
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
			want, how := v.bigCandidate(rows, cols)
			got, gotHow, done := v.fixedCandidate(rows, cols)
			if !done {
				decided[-1]++
				continue
			}
			decided[how]++
			if how != gotHow {
				t.Errorf("seed %d, rows %b, columns %b: Verdict %d, want %d", seed, rows, cols, gotHow, how)
				continue
			}
			if how != Proved {
				continue
			}
			v.setPayoffs(want, rows, cols)
			if Compare(got, want) != 0 || got.Index != want.Index || got.Payoffs[0].Cmp(want.Payoffs[0]) != 0 ||
				got.Payoffs[1].Cmp(want.Payoffs[1]) != 0 {
				t.Errorf("seed %d, rows %b, columns %b: %v, want %v", seed, rows, cols, got, want)
			}
			for _, x := range append(append(got.Payoffs[:], got.X...), got.Y...) {
				gcd := new(big.Int).GCD(nil, nil, new(big.Int).Abs(x.Num()), x.Denom())
				if gcd.Cmp(big.NewInt(1)) != 0 {
					t.Errorf("seed %d: %v is not in lowest terms", seed, x)
				}
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

// Numbers that are not all integers, or do not fit, are large.
func TestLargePayoffs(t *testing.T) {
	for _, payoffs := range [][]*big.Rat{
		{big.NewRat(1, 2), big.NewRat(3, 1)},
		{big.NewRat(math.MinInt64, 1), big.NewRat(math.MaxInt64, 1)},
	} {
		p := newMatrix(1, 2, payoffs)
		if p.small != nil || p.Entries()[0].Cmp(big.NewInt(1)) != 0 ||
			p.transposed().Entries()[1].Cmp(p.Entries()[1]) != 0 {
			t.Errorf("%v: %v, %v", payoffs, p.small, p.Entries())
		}
	}
}

func TestGCD(t *testing.T) {
	s := rng.Stream(5)
	number := func(bits uint64) [2]uint64 {
		x := shifted([2]uint64{s.Uint64(), s.Uint64()}, int(128-bits))
		return [2]uint64{x[0] | 1<<(s.Uint64()%8), x[1]}
	}
	large := func(x [2]uint64) *big.Int {
		return new(big.Int).SetBits([]big.Word{big.Word(x[0]), big.Word(x[1])})
	}
	for range 2000 {
		a, b := number(1+s.Uint64()%127), number(1+s.Uint64()%127)
		if s.Uint64()%2 == 0 { // something in common
			c := s.Uint64()%1000 + 1
			a[1], a[0] = bits.Mul64(a[0], c)
			b[1], b[0] = bits.Mul64(b[0], c)
		}
		want := new(big.Int).GCD(nil, nil, large(a), large(b))
		if got := large(gcd(a, b)); got.Cmp(want) != 0 {
			t.Errorf("gcd(%v, %v) = %v, want %v", a, b, got, want)
		}
	}
	if got := gcd([2]uint64{0, 1 << 40}, [2]uint64{0, 3 << 38}); got != [2]uint64{0, 1 << 38} {
		t.Errorf("of 2^104 and 3 2^102: %v", got)
	}
}

// between returns an integer in [lo, hi].
func between(s *rng.Stream, lo, hi int64) int64 { return lo + int64(s.Uint64()%uint64(hi-lo+1)) }
