package multiplayer

import (
	"fmt"
	"math/big"
	"slices"

	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/internal/polynomial"
)

// A Continuum is a set of infinitely many equilibria: those whose probabilities are given
// functions of parameters that meet all conditions. Functions with a denominator have no value
// where that is 0.
type Continuum struct {
	Parameters []string   // as many as the set has dimensions
	Conditions []string   // inequalities
	Strategies [][]string // probabilities of each player's strategies
	Supports   [][]int    // strategies that each player plays, but maybe at the boundary

	family *family
}

// Contains reports whether mixed strategies, by player, are one of the equilibria.
func (c *Continuum) Contains(x [][]*big.Rat) bool {
	f := c.family
	all, point := slices.Concat(x...), map[int]*big.Rat{}
	for _, v := range f.free {
		point[v] = all[v]
	}
	for i, q := range f.probabilities {
		if q.denominator.Value(point).Sign() == 0 || q.at(point).Cmp(all[i]) != 0 || all[i].Sign() < 0 {
			return false
		}
	}
	return !slices.ContainsFunc(f.conditions, func(p polynomial.Polynomial) bool { return p.Value(point).Sign() < 0 })
}

// radius is how close the probabilities of an equilibrium are computed that are no fractions.
var radius = big.NewRat(1, 1<<50)

// equilibrium returns the equilibrium of a family that has only one, or its example.
func (f *family) equilibrium(g *game.NormalForm) Equilibrium {
	if f.root == nil {
		var exact [][]*big.Rat
		for p, start := range f.start {
			var x []*big.Rat
			for _, q := range f.probabilities[start : start+g.Sizes[p]] {
				x = append(x, q.at(f.point))
			}
			exact = append(exact, x)
		}
		return exactly(g, exact)
	}
	e := Equilibrium{}
	for p, start := range f.start {
		var x []float64
		for _, q := range f.probabilities[start : start+g.Sizes[p]] {
			low, high := q.bounds(f.root)
			for new(big.Rat).Sub(high, low).Cmp(radius) > 0 {
				f.root.Halve()
				low, high = q.bounds(f.root)
			}
			near, _ := low.Float64()
			x = append(x, near)
			if low.Cmp(high) < 0 {
				e.Radius = 1.0 / (1 << 49) // with that of rounding to a float
			}
		}
		e.Strategies = append(e.Strategies, x)
	}
	e.addPayoffs(g)
	return e
}

// at returns the value of a fraction at a point.
func (f fraction) at(point map[int]*big.Rat) *big.Rat {
	return new(big.Rat).Quo(f.numerator.Value(point), f.denominator.Value(point))
}

// bounds returns bounds of the value of a fraction at a root, from minus to plus infinity where
// that is not known well enough.
func (f fraction) bounds(r *polynomial.Root) (low, high *big.Rat) {
	low, high = r.Bounds(f.numerator)
	least, most := r.Bounds(f.denominator)
	for least.Sign()*most.Sign() <= 0 {
		r.Halve()
		low, high = r.Bounds(f.numerator)
		least, most = r.Bounds(f.denominator)
	}
	all := []*big.Rat{
		new(big.Rat).Quo(low, least), new(big.Rat).Quo(low, most), new(big.Rat).Quo(high, least),
		new(big.Rat).Quo(high, most),
	}
	return slices.MinFunc(all, (*big.Rat).Cmp), slices.MaxFunc(all, (*big.Rat).Cmp)
}

// contains reports whether a continuum has all equilibria of another family, whose supports are
// parts of its own. It is not known of some.
func (f *family) contains(other *family) bool {
	if len(f.free) == 0 || f.root != nil {
		return false
	}
	for p, support := range other.supports {
		if slices.ContainsFunc(support, func(s int) bool { return !slices.Contains(f.supports[p], s) }) {
			return false
		}
	}
	at := func(p polynomial.Polynomial) polynomial.Polynomial {
		for _, v := range p.Variables() {
			x := other.probabilities[v]
			p = p.Substitute(v, x.numerator, x.denominator, p.Degree(v))
		}
		return p
	}
	zero := func(p polynomial.Polynomial) bool {
		if p = at(p); other.root != nil && len(p) > 0 {
			return other.root.Sign(p, other.free[0]) == 0
		}
		return len(p) == 0
	}
	for v, x := range f.solved {
		if !zero(polynomial.Variable(v).Times(x.denominator).Minus(x.numerator)) {
			return false
		}
		if x.denominator.IsConstant() {
			continue
		}
		if len(other.free) > 0 && other.root == nil || zero(x.denominator) {
			return false
		}
	}
	return true
}

// continuum returns a family for people to read.
func (f *family) continuum(g *game.NormalForm) Continuum {
	c := Continuum{Supports: f.supports, family: f}
	names := make(map[int]string)
	for i, v := range f.free {
		names[v] = string(rune('a' + i))
		c.Parameters = append(c.Parameters, names[v])
	}
	for p, start := range f.start {
		var x []string
		for _, q := range f.probabilities[start : start+g.Sizes[p]] {
			x = append(x, q.text(names))
		}
		c.Strategies = append(c.Strategies, x)
	}
	low, high := map[int]*big.Rat{}, map[int]*big.Rat{}
	for _, v := range f.free {
		low[v], high[v] = new(big.Rat), big.NewRat(1, 1)
	}
	var others []string
	for _, p := range f.conditions {
		v := p.Variables()
		if len(v) > 1 || p.Degree(v[0]) > 1 {
			others = append(others, p.Text(names)+" >= 0")
			continue
		}
		of := p.Coefficients(v[0])
		bound := fraction{polynomial.Int(0).Minus(of[0]), of[1]}.at(nil)
		switch {
		case of[1].Sign() > 0 && bound.Cmp(low[v[0]]) > 0:
			low[v[0]] = bound
		case of[1].Sign() < 0 && bound.Cmp(high[v[0]]) < 0:
			high[v[0]] = bound
		}
	}
	for _, v := range f.free {
		c.Conditions = append(c.Conditions,
			fmt.Sprintf("%s <= %s <= %s", low[v].RatString(), names[v], high[v].RatString()))
	}
	slices.Sort(others)
	c.Conditions = append(c.Conditions, slices.Compact(others)...)
	return c
}

func (f fraction) text(names map[int]string) string {
	numerator := f.numerator.Text(names)
	if f.denominator.IsConstant() {
		if n := f.denominator.Text(names); n != "1" {
			if len(f.numerator) > 1 {
				numerator = "(" + numerator + ")"
			}
			return numerator + "/" + n
		}
		return numerator
	}
	return "(" + numerator + ")/(" + f.denominator.Text(names) + ")"
}

// collect adds families to the equilibria and continua. It leaves out those that others contain.
func (r *Result) collect(g *game.NormalForm, all []*family) {
	dimension := func(f *family) int {
		if f.root != nil {
			return 0
		}
		return len(f.free)
	}
	slices.SortStableFunc(all, func(a, b *family) int { return dimension(b) - dimension(a) })
	var kept []*family
	for _, f := range all {
		if !slices.ContainsFunc(kept, func(other *family) bool { return other.contains(f) }) {
			kept = append(kept, f)
		}
	}
	for _, f := range kept {
		e := f.equilibrium(g)
		listed := e.same
		if dimension(f) > 0 {
			c := f.continuum(g)
			r.Continua = append(r.Continua, c)
			listed = func(e Equilibrium) bool { return e.Exact != nil && c.Contains(e.Exact) }
		}
		if !slices.ContainsFunc(r.Equilibria, listed) {
			r.Equilibria = append(r.Equilibria, e)
		}
	}
}
