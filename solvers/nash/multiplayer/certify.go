package multiplayer

import (
	"slices"

	"gamebots/solvers/nash/game"
)

// Certify proves that there is exactly one equilibrium near some mixed strategies, by player,
// with the same supports, and returns it. It fails if floats do not suffice for that, as if
// that equilibrium is degenerate, and if there are more than some 140 strategies in all.
func Certify(g *game.NormalForm, strategies [][]float64) (*Equilibrium, bool) {
	e := &Equilibrium{Strategies: strategies}
	supports := e.Supports()
	chain := len(g.Sizes)
	for p, n := range g.Sizes {
		chain += n
		if len(supports[p]) == 0 {
			return nil, false
		}
	}
	if chain > maxChain {
		return nil, false
	}
	s := newSupportSearch(g, scaled(g), supports)
	if s.dimensions == 0 {
		return certifyPure(g, supports)
	}
	x := s.part(strategies)
	if s.indifferent() || len(s.equations) != s.dimensions || !s.newton(x) {
		return nil, false
	}
	for radius := 1e-3; radius > 1e-12; radius /= 10 {
		if near, unique := s.narrowed(x, slices.Repeat([]float64{radius}, s.dimensions)); unique {
			s.decide(x, near)
			break
		}
	}
	if len(s.found) == 0 {
		return nil, false
	}
	s.found[0].addPayoffs(g)
	return &s.found[0], true
}

// certifyPure decides in fractions.
func certifyPure(g *game.NormalForm, supports [][]int) (*Equilibrium, bool) {
	var profile []int
	for _, support := range supports {
		profile = append(profile, support[0])
	}
	e := pureEquilibrium(g, profile)
	if _, regret := Payoffs(g, e.Exact); regret.Sign() > 0 {
		return nil, false
	}
	return &e, true
}
