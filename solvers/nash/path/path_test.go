package path

import (
	"math"
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
