package polymatrix

import (
	"math/big"
	"testing"

	"gamebots/internal/rng"
	"gamebots/solvers/nash"
	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/multiplayer"
)

// random returns a polymatrix game in normal form.
func random(t *testing.T, seed uint64, sizes ...int) *game.NormalForm {
	t.Helper()
	g, err := game.Random(seed, 0, 0, sizes...) // all payoffs are 0
	if err != nil {
		t.Fatal(err)
	}
	draws := rng.Stream(seed)
	for p := range sizes {
		for q, n := range sizes {
			if q == p {
				continue
			}
			pair := make([]int64, sizes[p]*n)
			for i := range pair {
				pair[i] = int64(draws.IntN(1000)) - 500
			}
			for c, x := range g.Payoffs[p] {
				profile := g.Profile(c)
				g.Payoffs[p][c] = new(big.Rat).Add(x, big.NewRat(pair[profile[p]*n+profile[q]], 7))
			}
		}
	}
	return g
}

func solved(t *testing.T, g *Game) *Result {
	t.Helper()
	r, err := Solve(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The equilibria are those that subdivision finds in the normal form.
func TestAgainstSubdivision(t *testing.T) {
	for seed := range uint64(6) {
		for _, sizes := range [][]int{{2, 2, 2}, {3, 2, 3}, {2, 2, 2, 2}} {
			normal := random(t, seed, sizes...)
			g, ok := New(normal)
			if !ok {
				t.Fatalf("%v, seed %d is a polymatrix game", sizes, seed)
			}
			r := solved(t, g)
			want, err := multiplayer.Solve(t.Context(), normal, 2)
			if err != nil || want.Undecided > 0 {
				t.Fatal(want, err)
			}
			if len(r.Equilibria) != len(want.Equilibria) || r.Degenerate {
				t.Errorf("%v, seed %d: %d equilibria, want %d; degenerate: %v", sizes, seed, len(r.Equilibria),
					len(want.Equilibria), r.Degenerate)
			}
			for _, e := range r.Equilibria {
				if !listed(want.Equilibria, floats(e)) {
					t.Errorf("%v, seed %d: %v is none of %v", sizes, seed, e.Strategies, want.Equilibria)
				}
			}
		}
	}
}

func floats(e Equilibrium) [][]float64 {
	all := make([][]float64, len(e.Strategies))
	for p, x := range e.Strategies {
		for _, q := range x {
			f, _ := q.Float64()
			all[p] = append(all[p], f)
		}
	}
	return all
}

func listed(all []multiplayer.Equilibrium, x [][]float64) bool {
	for _, e := range all {
		near := true
		for p := range x {
			for s := range x[p] {
				d := e.Strategies[p][s] - x[p][s]
				near = near && d < 1e-9 && d > -1e-9
			}
		}
		if near {
			return true
		}
	}
	return false
}

// A game of two players is a polymatrix game, and its equilibria are those of nash.
func TestTwoPlayers(t *testing.T) {
	for seed := range uint64(8) {
		two, err := game.Generate(game.Recipe{Family: "RandomGame", Rows: 4, Cols: 5, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		want, err := nash.Solve(t.Context(), two, nash.Options{})
		if err != nil {
			t.Fatal(err)
		}
		g, ok := New(two.NormalForm())
		if !ok {
			t.Fatal("no polymatrix game")
		}
		r := solved(t, g)
		if len(r.Equilibria) != len(want.Equilibria) {
			t.Errorf("seed %d: %d equilibria, want %d", seed, len(r.Equilibria), len(want.Equilibria))
		}
		for _, e := range want.Equilibria {
			same := func(o Equilibrium) bool { return compare(o, Equilibrium{Strategies: [][]*big.Rat{e.X, e.Y}}) == 0 }
			if !has(r, same) {
				t.Errorf("seed %d: %v %v is missing", seed, e.X, e.Y)
			}
		}
	}
}

func has(r *Result, same func(Equilibrium) bool) bool {
	for _, e := range r.Equilibria {
		if same(e) {
			return true
		}
	}
	return false
}

// The equilibria of a population are the symmetric ones among all.
func TestPopulation(t *testing.T) {
	for seed := range uint64(8) {
		draws := rng.Stream(seed)
		const n = 5
		a, b := make([][]int64, n), make([][]int64, n)
		for i := range n {
			a[i], b[i] = make([]int64, n), make([]int64, n)
		}
		for i := range n {
			for j := range n {
				a[i][j] = int64(draws.IntN(1000))
				b[j][i] = a[i][j]
			}
		}
		two, err := game.New("", a, b)
		if err != nil {
			t.Fatal(err)
		}
		g, ok := Population(two)
		if !ok {
			t.Fatal("not symmetric")
		}
		all, err := nash.Solve(t.Context(), two, nash.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, symmetric := solved(t, g), 0
		for _, e := range all.Equilibria {
			if compare(Equilibrium{Strategies: [][]*big.Rat{e.X}}, Equilibrium{Strategies: [][]*big.Rat{e.Y}}) != 0 {
				continue
			}
			symmetric++
			if !has(r,
				func(o Equilibrium) bool { return compare(o, Equilibrium{Strategies: [][]*big.Rat{e.X}}) == 0 }) {
				t.Errorf("seed %d: %v is missing", seed, e.X)
			}
		}
		if len(r.Equilibria) != symmetric || symmetric%2 == 0 {
			t.Errorf("seed %d: %d equilibria of the population, %d symmetric ones", seed, len(r.Equilibria), symmetric)
		}
	}
}

// Where infinitely many equilibria are, the result says that the game is degenerate.
func TestDegenerate(t *testing.T) {
	flat, err := game.Random(1, 0, 0, 2, 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	g, ok := New(flat)
	if !ok {
		t.Fatal("all payoffs are 0, and no polymatrix game")
	}
	if r := solved(t, g); !r.Degenerate || len(r.Equilibria) == 0 {
		t.Errorf("%d equilibria, degenerate: %v", len(r.Equilibria), r.Degenerate)
	}
}

// A game in which what a player gets from another depends on a third is none.
func TestNotPolymatrix(t *testing.T) {
	g, err := game.Random(1, 0, 1000, 2, 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := New(g); ok {
		t.Error("a random game is taken for a polymatrix game")
	}
	two, err := game.New("", [][]int64{{1, 2}, {3, 4}}, [][]int64{{1, 2}, {3, 4}})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := Population(two); ok {
		t.Error("both get the same in all cells, but not if they change places")
	}
}
