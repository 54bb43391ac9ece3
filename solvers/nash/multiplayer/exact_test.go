package multiplayer

import (
	"math/big"
	"slices"
	"testing"

	"gamebots/internal/rng"
	"gamebots/solvers/nash/game"
)

// onGrid calls f for all mixed strategies of two strategies each whose probabilities have a
// denominator.
func onGrid(players, denominator int, f func(x [][]*big.Rat)) {
	x := make([][]*big.Rat, players)
	var choose func(p int)
	choose = func(p int) {
		if p == players {
			f(x)
			return
		}
		for n := range denominator + 1 {
			q := big.NewRat(int64(n), int64(denominator))
			x[p] = []*big.Rat{q, new(big.Rat).Sub(big.NewRat(1, 1), q)}
			choose(p + 1)
		}
	}
	choose(0)
}

// Small payoffs make most games degenerate. All of their equilibria on a grid are in the result,
// and everything in the result is an equilibrium.
func TestContinua(t *testing.T) {
	continua, points := 0, 0
	for seed := range uint64(40) {
		g := random(t, seed, 1+int64(seed%3), 2, 2, 2)
		r := solved(t, g)
		if r.Undecided != 0 {
			t.Errorf("seed %d: %d undecided", seed, r.Undecided)
		}
		continua += len(r.Continua)
		onGrid(3, 6, func(x [][]*big.Rat) {
			_, regret := Payoffs(g, x)
			in := slices.ContainsFunc(r.Continua, func(c Continuum) bool { return c.Contains(x) })
			if in {
				points++
			}
			floats := [][]float64{rats(x[0]), rats(x[1]), rats(x[2])}
			switch listed := in || r.has(floats, 1e-12); {
			case regret.Sign() == 0 && !listed:
				t.Errorf("seed %d: %v is missing", seed, floats)
			case regret.Sign() != 0 && listed:
				t.Errorf("seed %d: %v is no equilibrium", seed, floats)
			}
		})
		for _, e := range r.Equilibria {
			if e.Exact == nil {
				if regret := regretOf(g, e.Strategies); regret > 1e-12 {
					t.Errorf("seed %d: %v gains %v by deviations", seed, e.Strategies, regret)
				}
			} else if _, regret := Payoffs(g, e.Exact); regret.Sign() != 0 {
				t.Errorf("seed %d: %v gains %v by deviations", seed, e.Exact, regret)
			}
		}
	}
	if continua < 40 || points < 400 {
		t.Errorf("%d continua with %d points of the grid are too few for this test", continua, points)
	}
}

// In games without a tie both searches, in fractions and by subdivision, find the same.
func TestFamilies(t *testing.T) {
	roots := 0
	for seed := range uint64(30) {
		g := random(t, seed, 20, 2, 2, 2)
		r := solved(t, g)
		if r.Undecided > 0 || len(r.Continua) > 0 {
			continue
		}
		for i := range 27 {
			supports := combination(g.Sizes, i, false)
			found, err := families(t.Context(), g, supports, false)
			if err != nil {
				t.Fatalf("seed %d: %v: %v", seed, supports, err)
			}
			want := 0
			for _, e := range r.Equilibria {
				if slices.EqualFunc(e.Supports(), supports, slices.Equal) {
					want++
				}
			}
			if len(found) != want {
				t.Errorf("seed %d: %d equilibria with supports %v, want %d", seed, len(found), supports, want)
			}
			for _, f := range found {
				if f.root != nil {
					roots++
				}
				if e := f.equilibrium(g); !r.has(e.Strategies, 1e-12) {
					t.Errorf("seed %d: %v is not in the list", seed, e.Strategies)
				}
			}
		}
	}
	if roots < 4 {
		t.Errorf("%d irrational equilibria are too few for this test", roots)
	}
}

// Players of more strategies: no start of Newton's method leads to an equilibrium that is missing.
func TestContinuaMultiStart(t *testing.T) {
	for seed := range uint64(6) {
		g := random(t, seed, 2, 2, 2, 3)
		r := solved(t, g)
		if r.Undecided != 0 {
			t.Errorf("seed %d: %d undecided", seed, r.Undecided)
		}
		m := multiStart{g: g, draws: rng.Stream(seed)}
		for range 200 {
			x := m.try()
			if x == nil || r.has(x, 1e-7) {
				continue
			}
			exact := make([][]*big.Rat, len(x))
			for p := range x {
				for _, q := range x[p] {
					exact[p] = append(exact[p], fractionNear(q))
				}
			}
			if !slices.ContainsFunc(r.Continua, func(c Continuum) bool { return c.Contains(exact) }) {
				t.Errorf("seed %d: %v is missing", seed, x)
			}
		}
	}
}

// Two equations of higher degree have a resultant.
func TestNoLinearEquation(t *testing.T) {
	for _, g := range []*game.NormalForm{random(t, 253, 1, 2, 2, 4), random(t, 216, 3, 2, 3, 3)} {
		if r := solved(t, g); r.Undecided != 0 {
			t.Errorf("%v: %d undecided", g.Sizes, r.Undecided)
		}
	}
}

// A continuum says for which parameters it has equilibria.
func TestContinuumText(t *testing.T) {
	// The third player's second strategy pays more if the first two do the same, and all get nothing else.
	g := random(t, 1, 0, 2, 2, 2)
	for c := range g.Cells() {
		if profile := g.Profile(c); profile[0] == profile[1] {
			g.Payoffs[2][c] = big.NewRat(int64(1+profile[2]), 1)
		}
	}
	r := solved(t, g)
	if len(r.Continua) != 3 || r.Undecided != 0 {
		t.Fatalf("%+v", r)
	}
	c := r.Continua[0]
	want := []string{"0 <= a <= 1", "0 <= b <= 1"}
	if !slices.Equal(c.Parameters, []string{"a", "b"}) || !slices.Equal(c.Conditions, want) ||
		!slices.Equal(c.Strategies[1], []string{"b", "1 - b"}) || !slices.Equal(c.Strategies[2], []string{"0", "1"}) {
		t.Errorf("%+v", c)
	}
}
