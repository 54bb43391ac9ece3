package polynomial

import (
	"errors"
	"math/big"
	"slices"
)

// ErrTooLarge is returned where polynomials are too many or too large.
var ErrTooLarge = errors.New("too many or too large polynomials")

// Bounds of Interior.
const (
	maxTerms   = 400
	maxDegree  = 12
	maxFactors = 60
	maxPoints  = 20000
)

// Interior returns a point with all of some variables between 0 and 1 where polynomials are
// positive, and others are not 0, nil if there is none. It fails with ErrTooLarge.
//
// It looks at one point of each open cell into which the zeros of the polynomials, and those of
// their projections, divide the space (Strzeboński, "Solving systems of strict polynomial
// inequalities", Journal of Symbolic Computation 2000).
func Interior(variables []int, positive, nonzero []Polynomial) (map[int]*big.Rat, error) {
	levels := make([][]Polynomial, len(variables))
	all := slices.Concat(positive, nonzero)
	for _, v := range variables {
		all = append(all, Variable(v), Int(1).Minus(Variable(v)))
	}
	for i := len(variables) - 1; i >= 0; i-- {
		levels[i] = coprime(all)
		if tooLarge(levels[i]) {
			return nil, ErrTooLarge
		}
		all = project(levels[i], variables[i])
	}
	c := cells{variables: variables, levels: levels, positive: positive, point: map[int]*big.Rat{}}
	found := c.search(0)
	switch {
	case c.points > maxPoints:
		return nil, ErrTooLarge
	case !found:
		return nil, nil
	}
	return c.point, nil
}

func tooLarge(all []Polynomial) bool {
	return len(all) > maxFactors || slices.ContainsFunc(all, func(p Polynomial) bool {
		high := func(v int) bool { return p.Degree(v) > maxDegree }
		return len(p) > maxTerms || slices.ContainsFunc(p.Variables(), high)
	})
}

// coprime returns polynomials without multiple or common factors that have the same zeros.
func coprime(all []Polynomial) []Polynomial {
	var factors []Polynomial
	for _, p := range all {
		factors = append(factors, p.Factors()...)
	}
	factors = distinct(factors)
	for i := 0; i < len(factors); i++ {
		for j := range i {
			if g := GCD(factors[i], factors[j]); !g.IsConstant() {
				parts := []Polynomial{g, factors[i].exactly(g), factors[j].exactly(g)}
				parts = slices.DeleteFunc(parts, Polynomial.IsConstant)
				factors = slices.Delete(slices.Delete(factors, i, i+1), j, j+1)
				factors = distinct(append(factors, parts...))
				i = -1
				break
			}
		}
	}
	return factors
}

// project returns polynomials without a variable. While none of these is 0, the real roots of
// the given ones depend on the other variables continuously, and none meet.
func project(all []Polynomial, v int) []Polynomial {
	var to []Polynomial
	for i, p := range all {
		if p.Degree(v) == 0 {
			to = append(to, p)
			continue
		}
		to = append(to, p.leading(v))
		if p.Degree(v) > 1 {
			to = append(to, Resultant(p, p.derivative(v), v))
		}
		for _, q := range all[:i] {
			if q.Degree(v) > 0 {
				to = append(to, Resultant(p, q, v))
			}
		}
	}
	return to
}

// cells visits a point of each cell.
type cells struct {
	variables []int
	levels    [][]Polynomial // polynomials of the first variables, for each number of these
	positive  []Polynomial
	point     map[int]*big.Rat // values of the first variables
	points    int
}

// search reports whether it found a point, by choosing the variables from one on.
func (c *cells) search(i int) bool {
	if c.points++; c.points > maxPoints {
		return false
	}
	if i == len(c.variables) {
		return true
	}
	v := c.variables[i]
	product := Int(1)
	for _, p := range c.levels[i] {
		if p.Degree(v) > 0 {
			product = product.Times(c.at(p))
		}
	}
	for _, x := range between(product.Roots(v)) {
		c.point[v] = x
		if !slices.ContainsFunc(c.positive, c.refutes) && c.search(i+1) {
			return true
		}
	}
	delete(c.point, v)
	return false
}

// at returns a polynomial with the values chosen so far.
func (c *cells) at(p Polynomial) Polynomial {
	for v, x := range c.point {
		p = p.At(v, x)
	}
	return p
}

// refutes reports whether the values chosen so far make a polynomial a number that is not positive.
func (c *cells) refutes(p Polynomial) bool {
	p = c.at(p)
	return p.IsConstant() && p.Sign() <= 0
}

// between returns a number before, between and after roots between 0 and 1.
func between(roots []Root) []*big.Rat {
	var points []*big.Rat
	low := new(big.Rat)
	for _, r := range append(roots, Root{Low: big.NewRat(1, 1), High: big.NewRat(1, 1)}) {
		for r.Low.Cmp(low) <= 0 {
			r.Halve()
		}
		points = append(points, Simplest(low, r.Low))
		low = r.High
	}
	return points
}

// Simplest returns the number of the smallest denominator between two others.
func Simplest(low, high *big.Rat) *big.Rat {
	if low.Sign() < 0 && high.Sign() > 0 {
		return new(big.Rat)
	}
	if high.Sign() <= 0 {
		x := Simplest(new(big.Rat).Neg(high), new(big.Rat).Neg(low))
		return x.Neg(x)
	}
	whole := new(big.Int).Quo(low.Num(), low.Denom())
	next := new(big.Rat).SetInt(new(big.Int).Add(whole, big.NewInt(1)))
	if next.Cmp(high) < 0 {
		return next
	}
	floor := new(big.Rat).SetInt(whole)
	low, high = new(big.Rat).Sub(low, floor), new(big.Rat).Sub(high, floor)
	if low.Sign() == 0 { // the smallest denominator above 1 / high
		n := new(big.Int).Quo(high.Denom(), high.Num())
		return floor.Add(floor, new(big.Rat).SetFrac(big.NewInt(1), n.Add(n, big.NewInt(1))))
	}
	return floor.Add(floor, new(big.Rat).Inv(Simplest(new(big.Rat).Inv(high), new(big.Rat).Inv(low))))
}
