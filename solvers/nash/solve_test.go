package nash

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"strings"
	"testing"

	"gamebots/cudalib/nashgpu"
	"gamebots/solvers/nash/bimatrix"
	"gamebots/solvers/nash/internal/extreme"
	"gamebots/solvers/nash/labels"
	"gamebots/solvers/nash/verify"
)

func random(t *testing.T, rows, cols int, seed uint64) *bimatrix.Game {
	t.Helper()
	g, err := bimatrix.Generate(bimatrix.Recipe{Family: "RandomGame", Rows: rows, Cols: cols, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func solved(t *testing.T, g *bimatrix.Game, o Options) *Result {
	t.Helper()
	r, err := Solve(t.Context(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Verified {
		t.Fatalf("%s: not verified: %s", g.Title, r.Problem)
	}
	return r
}

// A GPU is used for games that it takes and gains from, and a reason is given where it is not.
func TestDeviceWorthwhile(t *testing.T) {
	for _, c := range []struct {
		method Method
		size   int
		want   bool
		reason string
	}{
		{Auto, 25, false, "25 strategies of a player, and a GPU gains from 26 on"}, {Auto, 26, true, ""},
		{Labels, 100, true, ""},
		{Nguyen, 13, false, "13 strategies of a player, and a GPU gains from 14 on"}, {Nguyen, 14, true, ""},
		{Nguyen, nashgpu.MaxStrategies + 1, false, "and a GPU takes"},
		{Grosu, 2, true, ""}, {Grosu, nashgpu.MaxStrategies + 1, false, "and a GPU takes"},
		{LemkeHowson, 100, false, "is for the CPU"},
	} {
		got, reason := Options{Method: c.method}.DeviceWorthwhile(&bimatrix.Game{Rows: 2, Cols: c.size})
		if got != c.want || !got && !strings.Contains(reason, c.reason) {
			t.Errorf("%s, %d strategies: %v: %s", c.method, c.size, got, reason)
		}
	}
}

func equal(a, b []verify.Equilibrium) bool {
	return slices.EqualFunc(a, b,
		func(x, y verify.Equilibrium) bool { return verify.Compare(&x, &y) == 0 && x.Index == y.Index })
}

// The numbers of equilibria that other programs find in random games.
func TestCounts(t *testing.T) {
	for n, want := range map[int][3]int{10: {15, 11, 3}, 12: {13, 7, 21}, 14: {1, 35, 31}, 16: {57, 51, 45},
		18: {41, 57, 93}} {
		for s, count := range want {
			if r := solved(t, random(t, n, n, uint64(1000*n+s+1)), Options{}); len(r.Equilibria) != count {
				t.Errorf("n = %d, seed %d: %d equilibria, want %d", n, s+1, len(r.Equilibria), count)
			}
		}
	}
}

// The result does not depend on threads or order, and a search in integers finds
// the same.
func TestSearchesAgree(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {1, 4}, {5, 1}, {3, 5}, {6, 6}, {9, 7}} {
		for seed := range uint64(6) {
			g := random(t, size[0], size[1], seed)
			want := solved(t, g, Options{Threads: 1})
			for _, o := range []Options{{Threads: 3}, {Threads: 2, Order: labels.ByProduct},
				{Method: Nguyen, Threads: 2}, {Method: Nguyen, Threads: 1}} {
				got := solved(t, g, o)
				if !equal(got.Equilibria, want.Equilibria) {
					t.Errorf("%s: %+v finds %d equilibria, one thread %d", g.Title, o, len(got.Equilibria),
						len(want.Equilibria))
				}
				if o.Method == "" && o.Order == labels.BySum && got.Stats != want.Stats {
					t.Errorf("%s: three threads do %+v, one %+v", g.Title, got.Stats, want.Stats)
				}
			}
			v := verify.New(g)
			exact, _, err := extreme.Search(t.Context(), v,
				extreme.Options{Threads: 3, OnFound: func(int) {}, Progress: func(float64) {}})
			if err != nil {
				t.Fatal(err)
			}
			slices.SortFunc(exact, compare)
			if !equal(exact, want.Equilibria) {
				t.Errorf("%s: %d equilibria in integers, %d by floats", g.Title, len(exact), len(want.Equilibria))
			}
		}
	}
}

// Neither scale nor shift of payoffs changes equilibria, nor fractions or large
// numbers.
func TestScales(t *testing.T) {
	g := random(t, 6, 5, 3)
	want := solved(t, g, Options{})
	for _, scale := range []string{"1/3", "1e60", "1e-60", "123456789123456789/1000"} {
		factor, _ := new(big.Rat).SetString(scale)
		scaled := *g
		scaled.A, scaled.B = nil, nil
		for i := range g.A {
			scaled.A = append(scaled.A, new(big.Rat).Sub(new(big.Rat).Mul(g.A[i], factor), factor))
			scaled.B = append(scaled.B, new(big.Rat).Mul(g.B[i], factor))
		}
		if got := solved(t, &scaled, Options{}); !equal(got.Equilibria, want.Equilibria) {
			t.Errorf("times %s: %d equilibria, want %d", scale, len(got.Equilibria), len(want.Equilibria))
		}
	}
}

// A tie that only the exact decision sees, below every float: the game is
// degenerate, and without the tie it is not.
func TestNearTie(t *testing.T) {
	g, err := bimatrix.New("near", [][]int64{{0, 1}, {0, 2}}, [][]int64{{3, 1}, {2, 1}})
	if err != nil {
		t.Fatal(err)
	}
	r := solved(t, g, Options{})
	if s, err := r.Structure(t.Context()); r.Degeneracy != Degenerate || len(r.Equilibria) != 2 || s.Components != 1 {
		t.Errorf("%d equilibria, degenerate %v: %v", len(r.Equilibria), r.Degeneracy, err)
	}
	tiny, _ := new(big.Rat).SetString("1e-40")
	g.A[0].Add(g.A[0], tiny)
	if r := solved(t, g, Options{}); r.Degeneracy != Nondegenerate || len(r.Equilibria) != 1 {
		t.Errorf("%d equilibria, degenerate %v, without the tie", len(r.Equilibria), r.Degeneracy)
	}
}

// A tie that a search by floats comes across ends it somewhere; what is reported of the
// search in integers does not depend on where.
func TestTiedStats(t *testing.T) {
	g := random(t, 15, 15, 1)
	for j := range g.Cols { // two rows that are the same
		g.A[j], g.B[j] = g.A[g.Cols+j], g.B[g.Cols+j]
	}
	want := solved(t, g, Options{Threads: 1})
	if want.Degeneracy != Degenerate || want.Stats.Nodes == 0 {
		t.Fatalf("degenerate %v, %+v", want.Degeneracy, want.Stats)
	}
	for range 5 {
		if got := solved(t, g, Options{Threads: 4}); !equal(got.Equilibria, want.Equilibria) ||
			got.Stats != want.Stats {
			t.Errorf("%d equilibria and %+v, want %d and %+v", len(got.Equilibria), got.Stats, len(want.Equilibria),
				want.Stats)
		}
	}
}

// The verdict does not hold where something is wrong.
func TestVerifyAll(t *testing.T) {
	g := random(t, 8, 8, 3)
	v := verify.New(g)
	good := solved(t, g, Options{})
	if len(good.Equilibria) < 3 {
		t.Fatalf("%d equilibria are too few for this test", len(good.Equilibria))
	}
	for name, change := range map[string]func(*Result){
		"one missing":   func(r *Result) { r.Equilibria = r.Equilibria[1:] },
		"two missing":   func(r *Result) { r.Equilibria[0].Index, r.Equilibria = 5, r.Equilibria[:1] },
		"one twice":     func(r *Result) { r.Equilibria[1] = r.Equilibria[0] },
		"not one":       func(r *Result) { r.Equilibria[0].X = r.Equilibria[1].X },
		"no mixture":    func(r *Result) { r.Equilibria[0].X = slices.Repeat([]*big.Rat{big.NewRat(1, 7)}, 8) },
		"nothing found": func(r *Result) { r.Equilibria = nil },
	} {
		r := &Result{Equilibria: slices.Clone(good.Equilibria), Complete: true}
		if r.verifyAll(v, false, 2); !r.Verified {
			t.Fatalf("unchanged: %s", r.Problem)
		}
		r = &Result{Equilibria: slices.Clone(good.Equilibria), Complete: true}
		if change(r); true {
			r.verifyAll(v, false, 2)
		}
		if r.Verified || r.Problem == "" {
			t.Errorf("%s: verified", name)
		}
	}
}

// A search that is stopped says so.
func TestStopped(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	r, err := Solve(ctx, random(t, 20, 20, 1), Options{})
	if !errors.Is(err, context.Canceled) || r.Complete {
		t.Errorf("%v, complete %v", err, r.Complete)
	}
}

// Equilibria that may not be all are verified one by one; their number and indices are not.
func TestVerifyIncomplete(t *testing.T) {
	g := random(t, 8, 8, 3)
	all := solved(t, g, Options{}).Equilibria
	if len(all) < 3 {
		t.Fatalf("%d equilibria are too few for this test", len(all))
	}
	r := &Result{Equilibria: slices.Clone(all[:2])}
	r.verifyAll(verify.New(g), false, 2)
	if !r.Verified {
		t.Errorf("not verified: %s", r.Problem)
	}
	r = &Result{Equilibria: slices.Clone(all[:2])}
	r.Equilibria[0].X = all[1].X
	if r.verifyAll(verify.New(g), false, 2); r.Verified {
		t.Error("no equilibrium is verified")
	}
}

// All families of games are solved.
func TestFamilies(t *testing.T) {
	for _, family := range bimatrix.Families() {
		name, _, _ := strings.Cut(family, ":")
		g, err := bimatrix.Generate(bimatrix.Recipe{Family: name, Seed: 1})
		if err != nil { // it has no size of its own
			g, err = bimatrix.Generate(bimatrix.Recipe{Family: name, Rows: 4, Cols: 4, Seed: 1})
		}
		if err != nil {
			t.Error(err)
			continue
		}
		solved(t, g, Options{})
	}
}

// Games with more than 32 strategies are searched in a second order, which finds
// the same, and the result says so.
func TestSecondOrder(t *testing.T) {
	g := random(t, 3, 33, 2)
	if r := solved(t, g, Options{}); !r.SecondOrder {
		t.Error("one order only")
	}
	if r := solved(t, g, Options{SkipChecks: true}); r.SecondOrder {
		t.Error("a second order in a hurry")
	}
}

// Payoffs that differ by more than floats have digits: the floats' vertex is none,
// and only integers know that the game is not degenerate.
func TestWideRange(t *testing.T) {
	g, err := bimatrix.Read("wide", []byte("2 2\n1 -1e30\n0 1\n-1e30 0\n1 0\n"))
	if err != nil {
		t.Fatal(err)
	}
	if r := solved(t, g, Options{}); r.Degeneracy != Nondegenerate || len(r.Equilibria) != 1 || r.IndexSum != 1 {
		t.Errorf("degenerate %v, %d equilibria, indices %d", r.Degeneracy, len(r.Equilibria), r.IndexSum)
	}
}

// Where both win by choosing differently, many vertices have very many bases. Pure
// choices that differ are extreme equilibria, and the even mixtures; any rows go with
// the columns that are not among them.
func TestManyBases(t *testing.T) {
	const n = 8
	g, err := bimatrix.Generate(bimatrix.Recipe{Family: "DispersionGame", Rows: n, Cols: n})
	if err != nil {
		t.Fatal(err)
	}
	r := solved(t, g, Options{})
	s, err := r.Structure(t.Context())
	if r.Degeneracy != Degenerate || len(r.Equilibria) != n*(n-1)+1 || len(s.Subsets) != 1<<n-1 || s.Components != 2 {
		t.Errorf("degenerate %v, %d equilibria, %d subsets, %d components: %v", r.Degeneracy, len(r.Equilibria),
			len(s.Subsets), s.Components, err)
	}
}

// The path of Lemke and Howson ends at one of the equilibria, in degenerate games at an
// extreme one.
func TestLemkeHowson(t *testing.T) {
	for seed := range uint64(40) {
		g, err := bimatrix.Generate(bimatrix.Recipe{Family: "RandomGame", Rows: 1 + int(seed%7), Cols: 1 + int(seed/7),
			Seed: seed, High: []int64{1, 3, 1e6}[seed%3]})
		if err != nil {
			t.Fatal(err)
		}
		all := solved(t, g, Options{}).Equilibria
		r := solved(t, g, Options{Method: LemkeHowson})
		if r.Complete || len(r.Equilibria) != 1 ||
			!slices.ContainsFunc(all,
				func(e verify.Equilibrium) bool { return verify.Compare(&e, &r.Equilibria[0]) == 0 }) {
			t.Errorf("%s: %v is not among %d equilibria", g.Title, r.Equilibria, len(all))
		}
	}
	v := verify.New(random(t, 6, 6, 3))
	for label := range 12 {
		if e, _, err := extreme.LemkeHowson(t.Context(), v, label); err != nil || !v.Verify(&e) {
			t.Errorf("without label %d: %v: %v", label, e, err)
		}
	}
}
