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
	x := make([][]float64, len(supports))
	for p, support := range supports {
		for _, strategy := range support {
			x[p] = append(x[p], strategies[p][strategy])
		}
	}
	s.complete(x)
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
	e := &Equilibrium{}
	for p, support := range supports {
		profile = append(profile, support[0])
		e.Strategies = append(e.Strategies, make([]float64, g.Sizes[p]))
		e.Strategies[p][support[0]] = 1
	}
	cell := g.Cell(profile)
	for p, n := range g.Sizes {
		stride := g.Stride(p)
		for s := range n {
			if g.Payoffs[p][cell+(s-profile[p])*stride].Cmp(g.Payoffs[p][cell]) > 0 {
				return nil, false
			}
		}
	}
	e.addPayoffs(g)
	return e, true
}
