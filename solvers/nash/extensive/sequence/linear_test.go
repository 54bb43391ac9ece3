package sequence

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// program makes a program of whole numbers.
func program(cost []int64, rows [][]int64, right []int64) *linearProgram {
	p := &linearProgram{Row: func(i int) []term { return terms(rows[i]) }}
	for _, c := range cost {
		p.Cost = append(p.Cost, big.NewInt(c))
	}
	for _, b := range right {
		p.Right = append(p.Right, big.NewInt(b))
	}
	return p
}

func terms(row []int64) (all []term) {
	for c, x := range row {
		if x != 0 {
			all = append(all, term{c, big.NewInt(x)})
		}
	}
	return all
}

// proved returns the cost of a solution. It fails unless the solution satisfies the rows,
// and its dual values prove it optimal.
func proved(t *testing.T, p *linearProgram, s *linearSolution) *big.Rat {
	t.Helper()
	left, cost, bound := make([]*big.Rat, len(p.Cost)), new(big.Rat), new(big.Rat)
	product := func(x *big.Int, y *big.Rat) *big.Rat { return new(big.Rat).Mul(new(big.Rat).SetInt(x), y) }
	for c, x := range s.X {
		left[c] = new(big.Rat).SetInt(p.Cost[c])
		cost.Add(cost, product(p.Cost[c], x))
		if x.Sign() < 0 {
			t.Errorf("x[%d] is %v", c, x)
		}
	}
	for r, y := range s.Dual {
		sum := new(big.Rat)
		for _, e := range p.Row(r) {
			sum.Add(sum, product(e.Value, s.X[e.Col]))
			left[e.Col].Sub(left[e.Col], product(e.Value, y))
		}
		bound.Add(bound, product(p.Right[r], y))
		if y.Sign() < 0 || sum.Cmp(new(big.Rat).SetInt(p.Right[r])) < 0 {
			t.Errorf("row %d is %v with a dual value of %v", r, sum, y)
		}
	}
	for c, x := range left {
		if x.Sign() < 0 {
			t.Errorf("the dual values exceed the cost of column %d by %v", c, x)
		}
	}
	if cost.Cmp(bound) != 0 {
		t.Errorf("a cost of %v, proved to be at least %v", cost, bound)
	}
	return cost
}

func TestKnownPrograms(t *testing.T) {
	for _, c := range []struct {
		name string
		*linearProgram
		want string
	}{
		{"a diet", program([]int64{6, 10}, [][]int64{{1, 2}, {3, 1}}, []int64{4, 6}), "108/5"},
		{"nothing to satisfy", program([]int64{1, 2}, [][]int64{{1, 1}}, []int64{-3}), "0/1"},
		{"no rows", program([]int64{1}, nil, nil), "0/1"},
		{"no costs", program([]int64{0, 0}, [][]int64{{1, -1}, {1, 1}}, []int64{2, 5}), "0/1"},
		{"one of many rows is tight", program([]int64{1}, [][]int64{{1}, {2}, {3}}, []int64{1, 6, 2}), "3/1"},
		{"entries beyond floats", program([]int64{1, 1 << 62}, [][]int64{{1 << 62, 1}}, []int64{1}),
			"1/4611686018427387904"},
		{"a determinant that primes divide",
			program([]int64{1, 1}, [][]int64{{int64(primes[0]), 0}, {0, int64(primes[1])}}, []int64{1, 1}),
			new(big.Rat).Add(big.NewRat(1, int64(primes[0])), big.NewRat(1, int64(primes[1]))).String()},
	} {
		s, err := c.Solve(t.Context())
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := proved(t, c.linearProgram, s); got.String() != c.want {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
	}
}

func TestInfeasible(t *testing.T) {
	p := program([]int64{1, 1}, [][]int64{{1, 1}, {-1, -1}}, []int64{2, -1})
	if s, err := p.Solve(t.Context()); !errors.Is(err, errInfeasible) {
		t.Errorf("%v: %v", s, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := program([]int64{1}, [][]int64{{1}}, []int64{1}).Solve(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// randomProgram returns a program of small numbers, which has many ties.
func randomProgram(seed uint64) *linearProgram {
	draws := rand.New(rand.NewPCG(seed, 0))
	cols, rows := 1+draws.IntN(8), 1+draws.IntN(8)
	numbers := func(n int, low, high int64) []int64 {
		all := make([]int64, n)
		for i := range all {
			all[i] = low + draws.Int64N(high-low+1)
		}
		return all
	}
	entries := make([][]int64, rows)
	for r := range entries {
		entries[r] = numbers(cols, -1, 3)
	}
	return program(numbers(cols, 0, 3), entries, numbers(rows, -1, 2))
}

// From floats and from the first basis, the same optimum is found and proved.
func TestFromFirstBasis(t *testing.T) {
	feasible := 0
	for seed := range uint64(2000) {
		p := randomProgram(seed)
		fromFloats, err := p.Solve(t.Context())
		fromFirst, err2 := p.finish(t.Context(), basis{})
		if err != nil || err2 != nil {
			if !errors.Is(err, errInfeasible) || !errors.Is(err2, errInfeasible) {
				t.Fatalf("seed %d: %v and %v", seed, err, err2)
			}
			continue
		}
		feasible++
		if a, b := proved(t, p, fromFloats), proved(t, p, fromFirst); a.Cmp(b) != 0 {
			t.Errorf("seed %d: %v and %v", seed, a, b)
		}
	}
	if feasible < 500 {
		t.Errorf("only %d programs are feasible", feasible)
	}
}

// Systems with large entries and solutions, and singular ones.
func TestSystem(t *testing.T) {
	draws := rand.New(rand.NewPCG(1, 2))
	for n := range 24 {
		rows, right := make([][]term, n), make([]*big.Int, n)
		for r := range rows {
			for c := range n {
				if c == r || draws.IntN(3) == 0 {
					x := new(big.Int).Lsh(big.NewInt(draws.Int64()-1<<62), uint(draws.IntN(100)))
					rows[r] = append(rows[r], term{c, x})
				}
			}
			right[r] = big.NewInt(draws.Int64N(9) - 4)
		}
		s, err := newSystem(t.Context(), rows)
		if err != nil {
			t.Fatal(err)
		}
		for name, side := range map[string]struct {
			rows  [][]term
			solve func(context.Context, []*big.Int) ([]*big.Int, *big.Int, error)
		}{"rows": {s.rows, s.solve}, "columns": {s.cols, s.solveTransposed}} {
			num, scale, err := side.solve(t.Context(), right)
			if err != nil || scale.Sign() <= 0 || !solves(side.rows, num, scale, right) {
				t.Errorf("%d %s: %v / %v: %v", n, name, num, scale, err)
			}
		}
		if n > 0 {
			rows[n-1] = slices.Clone(rows[0])
			if _, err := newSystem(t.Context(), rows); n > 1 && !errors.Is(err, errUnusable) {
				t.Errorf("%d rows, two of them equal: %v", n, err)
			}
		}
	}
}

// The cheapest food with enough of two nutrients.
func Example_linearProgram() {
	nutrients := [][]term{{{0, big.NewInt(1)}, {1, big.NewInt(2)}}, {{0, big.NewInt(3)}, {1, big.NewInt(1)}}}
	p := &linearProgram{
		Cost:  []*big.Int{big.NewInt(6), big.NewInt(10)},
		Right: []*big.Int{big.NewInt(4), big.NewInt(6)},
		Row:   func(i int) []term { return nutrients[i] },
	}
	s, err := p.Solve(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("amounts", s.X, "prices", s.Dual)
	// Output: amounts [8/5 6/5] prices [24/5 2/5]
}
