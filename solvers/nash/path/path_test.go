package path

import (
	"math"
	"math/big"
	"testing"

	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/multiplayer"
)

func random(t *testing.T, seed uint64, sizes ...int) *game.NormalForm {
	t.Helper()
	g, err := game.Random(seed, 0, 1000, sizes...)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Both methods end at an equilibrium of the list of all.
func TestOneOfAll(t *testing.T) {
	for seed := range uint64(8) {
		for _, sizes := range [][]int{{3, 4}, {2, 3, 2}, {2, 2, 2, 2}} {
			g := random(t, seed, sizes...)
			all, err := multiplayer.Solve(t.Context(), g, 2)
			if err != nil {
				t.Fatal(err)
			}
			listed := func(e *multiplayer.Equilibrium) bool {
				for _, other := range all.Equilibria {
					if distance(e.Strategies, other.Strategies) < 1e-9 {
						return true
					}
				}
				return false
			}
			newton, err := GlobalNewton(t.Context(), g)
			if err != nil {
				t.Errorf("%v, seed %d: %v", sizes, seed, err)
			} else if !listed(newton) {
				t.Errorf("%v, seed %d: %v is none of %v", sizes, seed, newton, all.Equilibria)
			}
			path, err := Logit(t.Context(), g)
			if err != nil || path.Limit == nil {
				t.Errorf("%v, seed %d: %v, %v", sizes, seed, path.Points[len(path.Points)-1], err)
			} else if !listed(path.Limit) {
				t.Errorf("%v, seed %d: %v is none of %v", sizes, seed, path.Limit, all.Equilibria)
			}
		}
	}
}

// In games with many ties, both methods end at an equilibrium or at mixed strategies with next to no
// regret.
func TestTies(t *testing.T) {
	exact := 0
	for seed := range uint64(20) {
		g, err := game.Random(seed, 0, 2, 2, 3, 2)
		if err != nil {
			t.Fatal(err)
		}
		newton, err := GlobalNewton(t.Context(), g)
		if err != nil {
			t.Fatal(err)
		}
		path, err := Logit(t.Context(), g)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range []*multiplayer.Equilibrium{newton, path.Limit} {
			if e.Exact == nil {
				continue // certified
			}
			_, regret := multiplayer.Payoffs(g, e.Exact)
			if e.Regret == nil {
				exact++
			} else if e.Regret.Cmp(regret) != 0 {
				t.Errorf("seed %d: regret %v, want %v", seed, e.Regret, regret)
			}
			if near, _ := regret.Float64(); near > 1e-9 || e.Regret == nil && near != 0 {
				t.Errorf("seed %d: %v has regret %v", seed, e.Exact, near)
			}
		}
	}
	if exact < 20 {
		t.Errorf("%d exact equilibria are too few for this test", exact)
	}
}

// Where every profile is an equilibrium, the path of quantal responses stays at random play.
func TestLogitOfNothing(t *testing.T) {
	for _, sizes := range [][]int{{2, 2}, {3, 2, 4}} {
		g, err := game.Random(1, 0, 0, sizes...)
		if err != nil {
			t.Fatal(err)
		}
		path, err := Logit(t.Context(), g)
		if err != nil || path.Limit.Exact == nil || path.Limit.Regret != nil {
			t.Fatalf("%v: %+v, %v", sizes, path.Limit, err)
		}
		for p, x := range path.Limit.Exact {
			for _, q := range x {
				if q.Cmp(big.NewRat(1, int64(sizes[p]))) != 0 {
					t.Errorf("%v: %v", sizes, path.Limit.Exact)
				}
			}
		}
	}
}

// Every point of the path is a quantal response equilibrium.
func TestLogitPoints(t *testing.T) {
	g := random(t, 5, 2, 3, 2)
	path, err := Logit(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range path.Points {
		for player, x := range p.Strategies {
			var weights []float64
			sum := 0.0
			for s := range x {
				payoff := payoffOf(g, player, s, p.Strategies)
				weights = append(weights, p.Lambda*payoff)
				sum += math.Exp(p.Lambda * (payoff - payoffOf(g, player, 0, p.Strategies)))
			}
			for s := range x {
				if want := math.Exp(weights[s]-weights[0]) / sum; math.Abs(x[s]-want) > 1e-6 {
					t.Fatalf("lambda %v: strategy %d of player %d is played with %v, want %v", p.Lambda, s, player,
						x[s], want)
				}
			}
		}
	}
}

// payoffOf returns a player's payoff by one strategy against the others.
func payoffOf(g *game.NormalForm, player, strategy int, x [][]float64) float64 {
	sum := 0.0
	for c, payoff := range g.Payoffs[player] {
		weight, _ := payoff.Float64()
		for p, s := range g.Profile(c) {
			switch {
			case p != player:
				weight *= x[p][s]
			case s != strategy:
				weight = 0
			}
		}
		sum += weight
	}
	return sum
}
