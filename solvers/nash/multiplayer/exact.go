package multiplayer

import (
	"cmp"
	"context"
	"maps"
	"math/big"
	"slices"

	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/internal/polynomial"
)

// Bounds of a search in fractions for the equilibria of one combination of supports.
const (
	maxSteps  = 2000
	maxTerms  = 3000 // terms of a polynomial
	maxDegree = 20   // exponent of a variable
)

// A system is what the probabilities of equilibria of one combination of supports have to
// satisfy: equations, by which variables are solved for others, and inequalities. Variables are
// numbered as strategies are, all players' in turn, and each is between 0 and 1.
type system struct {
	equations   []polynomial.Polynomial // are 0
	positive    []polynomial.Polynomial
	nonnegative []polynomial.Polynomial
	nonzero     []polynomial.Polynomial
	solved      map[int]fraction // functions of the free variables
	free        []int            // the others, in ascending order
}

// A fraction is a quotient of polynomials.
type fraction struct{ numerator, denominator polynomial.Polynomial }

// An exactSearch finds the equilibria of one combination of supports in fractions. It solves the
// equations of indifference one after the other for a variable of which they are a linear
// function, and looks at both cases where its coefficient may be 0. Variables that are left are
// free.
type exactSearch struct {
	ctx      context.Context
	game     *game.NormalForm
	supports [][]int
	start    []int // number of each player's first strategy
	steps    int
	found    []*family
	tooLarge bool // some case was not decided
}

// A family has the equilibria with some supports that are functions of free variables, or of the
// root of a polynomial, or only one.
type family struct {
	supports      [][]int
	start         []int
	probabilities []fraction       // values for all players' strategies
	solved        map[int]fraction // relations of the variables of the supports
	free          []int
	conditions    []polynomial.Polynomial // are 0 or positive
	root          *polynomial.Root        // value of the only free variable
	point         map[int]*big.Rat        // values of free variables at one of the equilibria
}

// families finds all equilibria with some supports, where all players play the same if symmetric
// is set. It fails with polynomial.ErrTooLarge or the error of ctx.
func families(ctx context.Context, g *game.NormalForm, supports [][]int, symmetric bool) ([]*family, error) {
	x := &exactSearch{ctx: ctx, game: g, supports: supports}
	count := 0
	for _, n := range g.Sizes {
		x.start = append(x.start, count)
		count += n
	}
	if count > polynomial.MaxVariables {
		return nil, polynomial.ErrTooLarge
	}
	s := system{solved: map[int]fraction{}}
	for p, support := range supports {
		last := support[len(support)-1]
		for _, strategy := range support {
			probability := x.probability(p, strategy)
			if strategy != last {
				s.free = append(s.free, x.start[p]+strategy)
			}
			if len(support) > 1 {
				s.positive = append(s.positive, probability)
			}
			if symmetric && p > 0 {
				s.equations = append(s.equations, probability.Minus(x.probability(0, strategy)))
			}
		}
		payoff := x.payoff(p, last)
		for strategy := range g.Sizes[p] {
			switch lost := payoff.Minus(x.payoff(p, strategy)); {
			case strategy == last:
			case slices.Contains(support, strategy):
				s.equations = append(s.equations, lost)
			default:
				s.nonnegative = append(s.nonnegative, lost)
			}
		}
	}
	x.solve(s)
	if x.tooLarge {
		return nil, cmp.Or(ctx.Err(), polynomial.ErrTooLarge)
	}
	return x.found, nil
}

// probability returns the probability of a strategy of a support: a variable but for the last one.
func (x *exactSearch) probability(player, strategy int) polynomial.Polynomial {
	support := x.supports[player]
	if strategy != support[len(support)-1] {
		return polynomial.Variable(x.start[player] + strategy)
	}
	rest := polynomial.Int(1)
	for _, other := range support[:len(support)-1] {
		rest = rest.Minus(polynomial.Variable(x.start[player] + other))
	}
	return rest
}

// payoff returns a player's payoff for a strategy, times a common denominator.
func (x *exactSearch) payoff(player, strategy int) polynomial.Polynomial {
	payoffs := x.game.Payoffs[player]
	denominator := big.NewInt(1)
	for _, payoff := range payoffs {
		game.AddDenominator(denominator, payoff)
	}
	var sum polynomial.Polynomial
	profile := make([]int, len(x.supports))
	var add func(p int, weight polynomial.Polynomial)
	add = func(p int, weight polynomial.Polynomial) {
		switch {
		case p == len(profile):
			payoff := polynomial.Constant(game.Scaled(payoffs[x.game.Cell(profile)], denominator))
			sum = sum.Plus(weight.Times(payoff))
		case p == player:
			profile[p] = strategy
			add(p+1, weight)
		default:
			for _, s := range x.supports[p] {
				profile[p] = s
				add(p+1, weight.Times(x.probability(p, s)))
			}
		}
	}
	add(0, polynomial.Int(1))
	return sum
}

// solve finds the equilibria of a system.
func (x *exactSearch) solve(s system) {
	if x.steps++; x.steps > maxSteps || x.ctx.Err() != nil || s.tooLarge() {
		x.tooLarge = true
		return
	}
	if s.refuted() {
		return
	}
	for i, e := range s.equations {
		if len(e) == 0 {
			x.solve(s.with(i))
			return
		}
		factors := s.factors(e)
		if len(factors) == 1 && factors[0].Equal(e) {
			continue
		}
		for _, f := range factors { // none if it cannot be 0
			x.solve(s.with(i, f))
		}
		return
	}
	if i, v := s.simplest(); i >= 0 {
		of := s.equations[i].Coefficients(v)
		x.solve(s.with(i).substitute(v, polynomial.Int(0).Minus(of[0]), of[1]))
		if !of[1].IsConstant() {
			x.solve(s.with(i, of...))
		}
		return
	}
	if len(s.equations) == 0 {
		x.decide(s)
		return
	}
	if r := s.resultant(); len(r) > 0 {
		s.equations = append(slices.Clip(s.equations), r)
		x.solve(s)
		return
	}
	x.roots(s)
}

// maxResultant is the largest exponent of a variable of which a resultant is computed.
const maxResultant = 4

// resultant returns a polynomial of one variable that is 0 where the equations hold, if they are of two
// variables. It returns nil if there is such an equation already.
func (s *system) resultant() polynomial.Polynomial {
	if len(s.free) != 2 || len(s.equations) < 2 {
		return nil
	}
	for _, e := range s.equations {
		if len(e.Variables()) < 2 {
			return nil
		}
	}
	v, p, q := s.free[1], s.equations[0], s.equations[1]
	if max(p.Degree(v), q.Degree(v)) > maxResultant {
		return nil
	}
	return polynomial.Resultant(p, q, v)
}

func (s *system) tooLarge() bool {
	large := func(p polynomial.Polynomial) bool {
		return len(p) > maxTerms || slices.ContainsFunc(s.free, func(v int) bool { return p.Degree(v) > maxDegree })
	}
	return slices.ContainsFunc(s.equations, large) || slices.ContainsFunc(s.positive, large) ||
		slices.ContainsFunc(s.nonnegative, large)
}

// with returns the system with other equations in the place of one.
func (s system) with(i int, others ...polynomial.Polynomial) system {
	s.equations = slices.Concat(s.equations[:i], s.equations[i+1:], others)
	return s
}

// refuted reports whether it is obvious that an inequality does not hold.
func (s *system) refuted() bool {
	for _, p := range s.positive {
		if _, most := corners(p); most <= 0 {
			return true
		}
	}
	for _, p := range s.nonnegative {
		if least, most := corners(p); most < 0 || most == 0 && least < 0 {
			return true
		}
	}
	return slices.ContainsFunc(s.nonzero, func(p polynomial.Polynomial) bool { return len(p) == 0 })
}

// corners returns the signs of the least and the largest value that a polynomial of degree 1 has
// where each variable is 0 or 1. It is between them in between. Other polynomials have any sign.
func corners(p polynomial.Polynomial) (least, most int) {
	for _, v := range p.Variables() {
		if p.Degree(v) > 1 {
			return -1, 1
		}
	}
	least, most = 1, -1
	var visit func(p polynomial.Polynomial)
	visit = func(p polynomial.Polynomial) {
		if p.IsConstant() {
			least, most = min(least, p.Sign()), max(most, p.Sign())
			return
		}
		of := p.Coefficients(p.Variables()[0])
		visit(of[0])
		visit(of[0].Plus(of[1]))
	}
	visit(p)
	return least, most
}

// factors returns the factors of a polynomial that may be 0.
func (s *system) factors(p polynomial.Polynomial) []polynomial.Polynomial {
	var kept []polynomial.Polynomial
	for _, f := range p.Factors() {
		for _, other := range slices.Concat(s.positive, s.nonzero) {
			if common := polynomial.GCD(f, other); !common.IsConstant() {
				f, _ = f.Divide(common.Primitive())
			}
		}
		least, most := corners(f)
		if least*most < 0 || least == 0 && most == 0 {
			kept = append(kept, f)
		}
	}
	return kept
}

// simplest returns the number of an equation and a variable of which it is a linear function,
// -1 if there is none.
func (s *system) simplest() (equation, variable int) {
	equation = -1
	least := 0
	for i, e := range s.equations {
		for _, v := range e.Variables() {
			if e.Degree(v) > 1 {
				continue
			}
			of := e.Coefficients(v)
			cost := len(of[0]) + len(of[1])
			if !of[1].IsConstant() {
				cost += maxTerms
			}
			if equation < 0 || cost < least {
				equation, variable, least = i, v, cost
			}
		}
	}
	return equation, variable
}

// substitute returns the system with a variable solved.
func (s system) substitute(v int, numerator, denominator polynomial.Polynomial) system {
	all := func(polynomials []polynomial.Polynomial, even bool) []polynomial.Polynomial {
		var to []polynomial.Polynomial
		for _, p := range polynomials {
			times := p.Degree(v)
			if even { // keeps the sign
				times += times % 2
			}
			to = append(to, p.Substitute(v, numerator, denominator, times).Primitive())
		}
		return to
	}
	s.equations, s.nonzero = all(s.equations, false), all(append(slices.Clip(s.nonzero), denominator), false)
	s.positive, s.nonnegative = all(s.positive, true), all(s.nonnegative, true)
	value := fraction{numerator, denominator}.reduced()
	s.solved = maps.Clone(s.solved)
	for other, f := range s.solved {
		s.solved[other] = f.substitute(v, value)
	}
	s.solved[v] = value
	s.free = slices.DeleteFunc(slices.Clone(s.free), func(other int) bool { return other == v })
	return s
}

func (f fraction) substitute(v int, x fraction) fraction {
	times := max(f.numerator.Degree(v), f.denominator.Degree(v))
	return fraction{
		f.numerator.Substitute(v, x.numerator, x.denominator, times),
		f.denominator.Substitute(v, x.numerator, x.denominator, times),
	}.reduced()
}

// reduced returns a fraction in lowest terms, with a positive denominator if that is a number.
func (f fraction) reduced() fraction {
	if len(f.numerator) == 0 {
		return fraction{nil, polynomial.Int(1)}
	}
	common := polynomial.GCD(f.numerator, f.denominator)
	content := new(big.Int).GCD(nil, nil, f.numerator.Content(), f.denominator.Content())
	common = common.Primitive().Times(polynomial.Constant(content))
	if f.denominator.IsConstant() && f.denominator.Sign() < 0 {
		common = polynomial.Int(0).Minus(common)
	}
	f.numerator, _ = f.numerator.Divide(common)
	f.denominator, _ = f.denominator.Divide(common)
	return f
}

// roots solves a system of equations that are not linear, of which one is of one variable.
func (x *exactSearch) roots(s system) {
	i := slices.IndexFunc(s.equations, func(e polynomial.Polynomial) bool { return len(e.Variables()) == 1 })
	if i < 0 {
		x.tooLarge = true
		return
	}
	v, p := s.equations[i].Variables()[0], s.equations[i]
	for _, e := range s.equations {
		if vs := e.Variables(); len(vs) == 1 && vs[0] == v {
			p = polynomial.GCD(p, e)
		}
	}
	for _, root := range p.Roots(v) {
		if root.Exact() {
			numerator, denominator := polynomial.Constant(root.Low.Num()), polynomial.Constant(root.Low.Denom())
			x.solve(s.substitute(v, numerator, denominator))
			continue
		}
		if len(s.free) > 1 {
			x.tooLarge = true
			return
		}
		holds := func(all []polynomial.Polynomial, least int) bool {
			return !slices.ContainsFunc(all, func(p polynomial.Polynomial) bool { return root.Sign(p, v) < least })
		}
		zero := func(p polynomial.Polynomial) bool { return root.Sign(p, v) == 0 }
		if holds(s.positive, 1) && holds(s.nonnegative, 0) && !slices.ContainsFunc(s.nonzero, zero) {
			x.add(s, &family{root: &root})
		}
	}
}

// decide decides whether a system without equations has solutions.
func (x *exactSearch) decide(s system) {
	zero := func(p polynomial.Polynomial) bool { return len(p) == 0 }
	s.nonnegative = slices.DeleteFunc(slices.Clone(s.nonnegative), zero)
	point, err := polynomial.Interior(s.free, slices.Concat(s.positive, s.nonnegative), s.nonzero)
	switch {
	case err != nil:
		x.tooLarge = true
	case point != nil:
		x.add(s, &family{point: point})
	default:
		for i, p := range s.nonnegative {
			t := s
			t.equations = []polynomial.Polynomial{p}
			t.positive = slices.Concat(s.positive, s.nonnegative[:i])
			t.nonnegative = s.nonnegative[i+1:]
			x.solve(t)
		}
	}
}

// add adds the equilibria that solve a system.
func (x *exactSearch) add(s system, f *family) {
	f.supports, f.start, f.free, f.solved = x.supports, x.start, s.free, s.solved
	for _, p := range slices.Concat(s.positive, s.nonnegative) {
		if least, _ := corners(p); least < 0 {
			f.conditions = append(f.conditions, p)
		}
	}
	for p, n := range x.game.Sizes {
		for strategy := range n {
			probability := fraction{nil, polynomial.Int(1)}
			if slices.Contains(x.supports[p], strategy) {
				probability.numerator = x.probability(p, strategy)
				for v, value := range s.solved {
					probability = probability.substitute(v, value)
				}
			}
			f.probabilities = append(f.probabilities, probability)
		}
	}
	x.found = append(x.found, f)
}
