package polynomial

import "math/big"

// A Root is a real root of a polynomial of one variable: Low if that is High, else the only one
// between Low and High, which are no roots.
type Root struct {
	of        []*big.Int
	Low, High *big.Rat
}

// Roots returns the real roots between 0 and 1 of a polynomial of one variable, in ascending
// order. Rational ones are known exactly.
func (p Polynomial) Roots(v int) []Root {
	of := p.exactly(GCD(p, p.derivative(v))).dense(v)
	if len(of) < 2 {
		return nil
	}
	s := sturm(of)
	var roots []Root
	var search func(low, high *big.Rat)
	search = func(low, high *big.Rat) {
		n := s.changes(low) - s.changes(high)
		if sign(of, high) == 0 {
			n--
		}
		if n == 0 {
			return
		}
		if n == 1 && sign(of, low) != 0 && sign(of, high) != 0 {
			roots = append(roots, rational(Root{of, low, high}))
			return
		}
		middle := mean(low, high)
		search(low, middle)
		if sign(of, middle) == 0 {
			roots = append(roots, Root{of, middle, middle})
		}
		search(middle, high)
	}
	search(new(big.Rat), big.NewRat(1, 1))
	return roots
}

// dense returns the coefficients of a polynomial of one variable by powers.
func (p Polynomial) dense(v int) []*big.Int {
	all := make([]*big.Int, p.Degree(v)+1)
	for i, c := range p.Coefficients(v) {
		all[i] = new(big.Int)
		if x, ok := c[monomial{}]; ok {
			all[i] = x
		}
	}
	return all
}

func mean(x, y *big.Rat) *big.Rat {
	sum := new(big.Rat).Add(x, y)
	return sum.Mul(sum, big.NewRat(1, 2))
}

// rational makes a root exact if it is a rational number: it has a divisor of the leading
// coefficient as its denominator.
func rational(r Root) Root {
	leading := new(big.Rat).SetInt(new(big.Int).Abs(r.of[len(r.of)-1]))
	for width := new(big.Rat); ; r.Halve() {
		if width.Sub(r.High, r.Low).Mul(width, leading).Cmp(big.NewRat(1, 1)) < 0 {
			break
		}
	}
	least := new(big.Rat).Mul(r.High, leading)
	x := new(big.Rat).SetFrac(new(big.Int).Quo(least.Num(), least.Denom()), leading.Num())
	if x.Cmp(r.Low) > 0 && sign(r.of, x) == 0 {
		return Root{r.of, x, x}
	}
	return r
}

// Exact reports whether the root is known exactly.
func (r *Root) Exact() bool { return r.Low.Cmp(r.High) == 0 }

// Halve halves the interval of a root that is not known exactly.
func (r *Root) Halve() {
	middle := mean(r.Low, r.High)
	switch sign(r.of, middle) {
	case 0:
		r.Low, r.High = middle, middle
	case sign(r.of, r.Low):
		r.Low = middle
	default:
		r.High = middle
	}
}

// sign returns the sign of a polynomial at a point.
func sign(of []*big.Int, x *big.Rat) int {
	sum, scale := new(big.Int), big.NewInt(1) // times the denominator to the power of the degree
	for i := len(of) - 1; i >= 0; i-- {
		sum.Mul(sum, x.Num()).Add(sum, new(big.Int).Mul(scale, of[i]))
		scale.Mul(scale, x.Denom())
	}
	return sum.Sign()
}

// A chain is the chain of Sturm of a polynomial without multiple roots. It has as many more changes of
// sign at x than at y as the polynomial has roots above x up to y.
type chain [][]*big.Int

func sturm(of []*big.Int) chain {
	c := chain{of, nil}
	for i, x := range of[1:] {
		c[1] = append(c[1], new(big.Int).Mul(x, big.NewInt(int64(i+1))))
	}
	for len(c[len(c)-1]) > 1 {
		p, q := c[len(c)-2], c[len(c)-1]
		rest := append([]*big.Int(nil), p...)
		leading := q[len(q)-1]
		for len(rest) >= len(q) { // rest times a square less a multiple of q
			top, shift := rest[len(rest)-1], len(rest)-len(q)
			for i, x := range rest {
				rest[i] = new(big.Int).Mul(x, new(big.Int).Mul(leading, leading))
				if i >= shift {
					y := new(big.Int).Mul(q[i-shift], leading)
					rest[i].Sub(rest[i], y.Mul(y, top))
				}
			}
			for len(rest) > 0 && rest[len(rest)-1].Sign() == 0 {
				rest = rest[:len(rest)-1]
			}
		}
		if len(rest) == 0 {
			break
		}
		divisor := new(big.Int)
		for _, x := range rest {
			divisor.GCD(nil, nil, divisor, new(big.Int).Abs(x))
		}
		for i, x := range rest {
			rest[i] = new(big.Int).Neg(new(big.Int).Quo(x, divisor))
		}
		c = append(c, rest)
	}
	return c
}

// changes counts the changes of sign at a point.
func (c chain) changes(x *big.Rat) int {
	n, last := 0, 0
	for _, of := range c {
		if s := sign(of, x); s != 0 {
			if s == -last {
				n++
			}
			last = s
		}
	}
	return n
}

// Sign returns the sign of another polynomial of the same variable at the root.
func (r *Root) Sign(p Polynomial, v int) int {
	of := p.dense(v)
	if r.Exact() {
		return sign(of, r.Low)
	}
	for _, common := range GCD(p, sparse(r.of, v)).Roots(v) {
		for !common.Exact() && common.High.Cmp(r.Low) > 0 && common.Low.Cmp(r.High) < 0 {
			if common.Low.Cmp(r.Low) >= 0 && common.High.Cmp(r.High) <= 0 {
				return 0
			}
			common.Halve()
		}
	}
	for {
		low, high := r.Bounds(p)
		if low.Sign()*high.Sign() > 0 {
			return low.Sign()
		}
		r.Halve()
	}
}

// sparse returns the polynomial with some coefficients.
func sparse(of []*big.Int, v int) Polynomial {
	p := Polynomial{}
	for i, x := range of {
		if x.Sign() != 0 {
			var m monomial
			m[v] = uint16(i)
			p[m] = x
		}
	}
	return p
}

// Bounds returns bounds of a polynomial of the same variable at the root, which get closer as
// that is halved.
func (r *Root) Bounds(p Polynomial) (low, high *big.Rat) {
	low, high = new(big.Rat), new(big.Rat)
	for m, x := range p {
		least, most := new(big.Rat).SetInt(x), new(big.Rat).SetInt(x)
		for _, n := range m {
			for range n {
				least.Mul(least, r.Low)
				most.Mul(most, r.High)
			}
		}
		if x.Sign() < 0 {
			least, most = most, least
		}
		low.Add(low, least)
		high.Add(high, most)
	}
	return low, high
}
