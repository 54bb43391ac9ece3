package correlated

import (
	"errors"
	"fmt"
	"math/big"
	"testing"

	"gamebots/solvers/nash"
	"gamebots/solvers/nash/game"
)

func generated(t *testing.T, r game.Recipe) *game.NormalForm {
	t.Helper()
	g, err := game.Generate(r)
	if err != nil {
		t.Fatal(err)
	}
	return g.NormalForm()
}

// solved solves and verifies.
func solved(t *testing.T, g *game.NormalForm, kind Kind, objective []*big.Rat) *Solution {
	t.Helper()
	s, err := Solve(t.Context(), g, kind, objective)
	if err == nil {
		err = s.Verify(g, objective)
	}
	if err != nil {
		t.Fatalf("%s, %v: %v", g.Title, kind, err)
	}
	return s
}

// chicken is Aumann's game of chicken, whose optimum mixes three cells.
func chicken(t *testing.T) *game.NormalForm {
	t.Helper()
	g, err := game.New("chicken", [][]int64{{6, 2}, {7, 0}}, [][]int64{{6, 7}, {2, 0}})
	if err != nil {
		t.Fatal(err)
	}
	return g.NormalForm()
}

// Known optima.
func TestKnownGames(t *testing.T) {
	g := chicken(t)
	s := solved(t, g, Correlated, Welfare(g))
	if fmt.Sprint(s.Probability) != "[1/2 1/4 1/4 0/1]" || s.Value.RatString() != "21/2" {
		t.Errorf("chicken: %v of welfare %v", s.Probability, s.Value)
	}
	rock := generated(t, game.Recipe{Family: "RockPaperScissors"})
	weights := make([]*big.Rat, rock.Cells()) // 1 for all the same, which happens in a third of the games
	for c := range weights {
		weights[c] = new(big.Rat)
		if profile := rock.Profile(c); profile[0] == profile[1] {
			weights[c].SetInt64(1)
		}
	}
	if s := solved(t, rock, Correlated, weights); s.Value.RatString() != "1/3" {
		t.Errorf("rock, paper, scissors: equal with probability %v", s.Value)
	}
	if s := solved(t, rock, Coarse, weights); s.Value.RatString() != "1" { // no fixed choice gains on average
		t.Errorf("rock, paper, scissors: equal with probability %v in a coarse equilibrium", s.Value)
	}
}

// Every Nash equilibrium is a correlated one and so a coarse one, none has more welfare
// than the best of these, and the optima of all kinds of games are verified.
func TestNashEquilibria(t *testing.T) {
	for seed := range uint64(40) {
		rows, cols := 1+int(seed%4), 1+int(seed/4%5)
		two, err := game.Generate(game.Recipe{Family: "RandomGame", Rows: rows, Cols: cols, Seed: seed,
			High: []int64{2, 9, 1e6}[seed%3]})
		if err != nil {
			t.Fatal(err)
		}
		found, err := nash.Solve(t.Context(), two, nash.Options{})
		if err != nil {
			t.Fatal(err)
		}
		g := two.NormalForm()
		welfare := Welfare(g)
		best := solved(t, g, Correlated, welfare)
		coarse := solved(t, g, Coarse, welfare)
		if coarse.Value.Cmp(best.Value) < 0 {
			t.Errorf("%s: coarse equilibria have welfare %v, correlated ones %v", g.Title, coarse.Value, best.Value)
		}
		for _, e := range found.Equilibria {
			p := make([]*big.Rat, g.Cells())
			for c := range p {
				profile := g.Profile(c)
				p[c] = new(big.Rat).Mul(e.X[profile[0]], e.Y[profile[1]])
			}
			for _, kind := range []Kind{Correlated, Coarse} {
				if gap, err := Distance(g, kind, p); err != nil || gap.Total.Sign() != 0 {
					t.Errorf("%s: equilibrium %v %v is %v from a %v one: %v", g.Title, e.X, e.Y, gap.Total, kind, err)
				}
			}
			if expectation(p, welfare).Cmp(best.Value) > 0 {
				t.Errorf("%s: equilibrium %v %v has more welfare than %v", g.Title, e.X, e.Y, best.Value)
			}
		}
	}
}

// Games of several players and all sorts of objectives.
func TestObjectives(t *testing.T) {
	for seed := range uint64(30) {
		g, err := game.Random(seed, 0, []int64{1, 5, 1e6}[seed%3],
			[][]int{{2, 2, 2}, {3, 2, 4}, {2, 2, 2, 2}, {1, 3, 3}}[seed%4]...)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []Kind{Correlated, Coarse} {
			solved(t, g, kind, Welfare(g))
			solved(t, g, kind, Weighted(g, nil))
			solved(t, g, kind, Weighted(g, []*big.Rat{big.NewRat(-1, 3)}))
		}
	}
}

// What is wrong is not verified.
func TestVerifyRefuses(t *testing.T) {
	g := chicken(t)
	objective := Welfare(g)
	for name, change := range map[string]func(*Solution){
		"another distribution": func(s *Solution) { s.Probability = uniform(g) },
		"another value":        func(s *Solution) { s.Value.Add(s.Value, big.NewRat(1, 1)) },
		"no proof":             func(s *Solution) { s.Multipliers = nil },
		"a wrong multiplier":   func(s *Solution) { s.Multipliers[0].Weight.Neg(s.Multipliers[0].Weight) },
		"not a distribution":   func(s *Solution) { s.Probability[0] = big.NewRat(-1, 2) },
	} {
		s := solved(t, g, Correlated, objective)
		change(s)
		if s.Verify(g, objective) == nil {
			t.Errorf("%s is verified", name)
		}
	}
}

func uniform(g *game.NormalForm) []*big.Rat {
	p := make([]*big.Rat, g.Cells())
	for c := range p {
		p[c] = big.NewRat(1, int64(len(p)))
	}
	return p
}

// The distance of the prisoners' cooperation: either gains 2 by betraying.
func TestDistance(t *testing.T) {
	g := generated(t, game.Recipe{Family: "PrisonersDilemma"})
	p := make([]*big.Rat, 4)
	for c := range p {
		p[c] = big.NewRat(0, 1)
	}
	p[0].SetInt64(1)
	for _, kind := range []Kind{Correlated, Coarse} {
		if gap, err := Distance(g, kind, p); err != nil || fmt.Sprint(gap.Players) != "[2/1 2/1]" ||
			gap.Total.RatString() != "4" {
			t.Errorf("%v: %v %v", kind, gap, err)
		}
	}
}

// A game whose incentives would fill the memory is refused before they are listed.
func TestTooLarge(t *testing.T) {
	for _, n := range []int{420, 1 << 17} {
		g, err := game.Random(1, 0, 9, n, 2)
		if err != nil {
			t.Fatal(err)
		}
		welfare := Welfare(g)
		if _, err := Solve(t.Context(), g, Correlated, welfare); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%d strategies: %v", n, err)
		}
		if _, err := Distance(g, Correlated, welfare); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%d strategies: the distance: %v", n, err)
		}
	}
}
