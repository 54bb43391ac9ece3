package polynomial

import (
	"math/big"
	"slices"
)

// MaxVariables is the number of variables, which are numbered from 0.
const MaxVariables = 16

// A monomial has the exponent of each variable.
type monomial [MaxVariables]uint16

// A Polynomial is a sum of monomials with coefficients other than 0. Its operations change no
// polynomial.
type Polynomial map[monomial]*big.Int

// Constant returns a number as a polynomial.
func Constant(x *big.Int) Polynomial {
	if x.Sign() == 0 {
		return nil
	}
	return Polynomial{monomial{}: x}
}

// Int returns a number as a polynomial.
func Int(x int64) Polynomial { return Constant(big.NewInt(x)) }

// Variable returns a variable.
func Variable(v int) Polynomial {
	var m monomial
	m[v] = 1
	return Polynomial{m: big.NewInt(1)}
}

// plus returns p + factor × monomial × q.
func (p Polynomial) plus(q Polynomial, factor *big.Int, m monomial) Polynomial {
	sum := make(Polynomial, len(p)+len(q))
	for n, x := range p {
		sum[n] = x
	}
	for n, x := range q {
		for v := range n {
			n[v] += m[v]
		}
		y := new(big.Int).Mul(x, factor)
		if old, ok := sum[n]; ok {
			y.Add(y, old)
		}
		if sum[n] = y; y.Sign() == 0 {
			delete(sum, n)
		}
	}
	return sum
}

// Plus returns p + q.
func (p Polynomial) Plus(q Polynomial) Polynomial { return p.plus(q, big.NewInt(1), monomial{}) }

// Minus returns p - q.
func (p Polynomial) Minus(q Polynomial) Polynomial { return p.plus(q, big.NewInt(-1), monomial{}) }

// Times returns p × q.
func (p Polynomial) Times(q Polynomial) Polynomial {
	var product Polynomial
	for m, x := range q {
		product = product.plus(p, x, m)
	}
	return product
}

// power returns p to the power of n.
func (p Polynomial) power(n int) Polynomial {
	product := Int(1)
	for range n {
		product = product.Times(p)
	}
	return product
}

// Equal reports whether p and q are the same.
func (p Polynomial) Equal(q Polynomial) bool { return len(p.Minus(q)) == 0 }

// IsConstant reports whether p has no variables.
func (p Polynomial) IsConstant() bool {
	_, constant := p[monomial{}]
	return len(p) == 0 || len(p) == 1 && constant
}

// Sign returns the sign of a constant.
func (p Polynomial) Sign() int {
	if x, ok := p[monomial{}]; ok {
		return x.Sign()
	}
	return 0
}

// Variables returns the variables of p in ascending order.
func (p Polynomial) Variables() []int {
	var all []int
	for v := range MaxVariables {
		if p.Degree(v) > 0 {
			all = append(all, v)
		}
	}
	return all
}

// Degree returns the largest exponent of a variable.
func (p Polynomial) Degree(v int) int {
	degree := 0
	for m := range p {
		degree = max(degree, int(m[v]))
	}
	return degree
}

// Coefficients returns the coefficients of the powers of a variable, from that of power 0 on.
func (p Polynomial) Coefficients(v int) []Polynomial {
	all := make([]Polynomial, p.Degree(v)+1)
	for m, x := range p {
		power := m[v]
		m[v] = 0
		if all[power] == nil {
			all[power] = Polynomial{}
		}
		all[power][m] = x
	}
	return all
}

// leading returns the coefficient of the largest power of a variable.
func (p Polynomial) leading(v int) Polynomial { return p.Coefficients(v)[p.Degree(v)] }

// derivative returns the derivative by a variable.
func (p Polynomial) derivative(v int) Polynomial {
	d := Polynomial{}
	for m, x := range p {
		if n := int64(m[v]); n > 0 {
			m[v]--
			d[m] = new(big.Int).Mul(x, big.NewInt(n))
		}
	}
	return d
}

// Substitute returns p with numerator / denominator for a variable, times the denominator to the
// power of times, which is at least the degree.
func (p Polynomial) Substitute(v int, numerator, denominator Polynomial, times int) Polynomial {
	var sum Polynomial
	for power, c := range p.Coefficients(v) {
		if len(c) > 0 {
			sum = sum.Plus(c.Times(numerator.power(power)).Times(denominator.power(times - power)))
		}
	}
	return sum
}

// At returns p with a number for a variable, times a positive number.
func (p Polynomial) At(v int, x *big.Rat) Polynomial {
	return p.Substitute(v, Constant(x.Num()), Constant(x.Denom()), p.Degree(v)).Primitive()
}

// Value returns the value of p at a point that has all its variables.
func (p Polynomial) Value(point map[int]*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for m, x := range p {
		product := new(big.Rat).SetInt(x)
		for v, n := range m {
			for range n {
				product.Mul(product, point[v])
			}
		}
		sum.Add(sum, product)
	}
	return sum
}

// Content returns the greatest common divisor of the coefficients.
func (p Polynomial) Content() *big.Int {
	divisor := new(big.Int)
	for _, x := range p {
		divisor.GCD(nil, nil, divisor, new(big.Int).Abs(x))
	}
	return divisor
}

// Primitive returns p divided by the greatest common divisor of its coefficients.
func (p Polynomial) Primitive() Polynomial {
	divisor := p.Content()
	if len(p) == 0 || divisor.IsInt64() && divisor.Int64() == 1 {
		return p
	}
	q := make(Polynomial, len(p))
	for m, x := range p {
		q[m] = new(big.Int).Quo(x, divisor)
	}
	return q
}

// largest returns the largest monomial in lexical order.
func (p Polynomial) largest() monomial {
	var largest monomial
	for m := range p {
		if slices.Compare(m[:], largest[:]) > 0 {
			largest = m
		}
	}
	return largest
}

// Divide returns p / q if that is a polynomial with integer coefficients.
func (p Polynomial) Divide(q Polynomial) (quotient Polynomial, ok bool) {
	by := q.largest()
	for quotient = (Polynomial{}); len(p) > 0; {
		m := p.largest()
		x, rest := new(big.Int).QuoRem(p[m], q[by], new(big.Int))
		for v := range m {
			if m[v] < by[v] {
				return nil, false
			}
			m[v] -= by[v]
		}
		if rest.Sign() != 0 {
			return nil, false
		}
		quotient[m] = x
		p = p.plus(q, new(big.Int).Neg(x), m)
	}
	return quotient, true
}

// exactly returns p / q, which is known to be a polynomial up to a constant factor.
func (p Polynomial) exactly(q Polynomial) Polynomial {
	quotient, ok := p.Primitive().Divide(q.Primitive())
	if !ok {
		panic("polynomial: division with a remainder")
	}
	return quotient
}

// GCD returns the greatest common divisor, up to a constant factor.
func GCD(p, q Polynomial) Polynomial {
	switch {
	case p.IsConstant() && len(p) > 0, q.IsConstant() && len(q) > 0:
		return Int(1)
	case len(p) == 0:
		return q.Primitive()
	case len(q) == 0:
		return p.Primitive()
	}
	v := p.Variables()[0]
	if q.Degree(v) == 0 {
		return GCD(p.content(v), q)
	}
	common := GCD(p.content(v), q.content(v))
	p, q = p.exactly(p.content(v)), q.exactly(q.content(v))
	if p.Degree(v) < q.Degree(v) {
		p, q = q, p
	}
	for {
		switch rest := p.remainder(q, v); {
		case len(rest) == 0:
			return common.Times(q)
		case rest.Degree(v) == 0:
			return common
		default:
			p, q = q, rest.exactly(rest.content(v))
		}
	}
}

// content returns the greatest common divisor of the coefficients of a variable.
func (p Polynomial) content(v int) Polynomial {
	var divisor Polynomial
	for _, c := range p.Coefficients(v) {
		if divisor = GCD(divisor, c); divisor.IsConstant() && len(divisor) > 0 {
			break
		}
	}
	return divisor
}

// remainder returns a multiple of p less a multiple of q, of a smaller degree than q.
func (p Polynomial) remainder(q Polynomial, v int) Polynomial {
	degree, by := q.Degree(v), q.leading(v)
	for len(p) > 0 && p.Degree(v) >= degree {
		var m monomial
		m[v] = uint16(p.Degree(v) - degree)
		p = p.Times(by).Minus(q.Times(p.leading(v)).Times(Polynomial{m: big.NewInt(1)})).Primitive()
	}
	return p
}

// Factors returns polynomials of which one is 0 wherever p is, and only there. No two have a
// common factor, and none has a factor without one of its variables.
func (p Polynomial) Factors() []Polynomial {
	for _, v := range p.Variables() {
		if c := p.content(v); !c.IsConstant() {
			return distinct(append(c.Factors(), p.exactly(c).Factors()...))
		}
	}
	if p.IsConstant() {
		return nil
	}
	v := p.Variables()[0]
	return []Polynomial{p.exactly(GCD(p, p.derivative(v)))}
}

// distinct removes polynomials that are the same up to a constant factor.
func distinct(all []Polynomial) []Polynomial {
	var kept []Polynomial
	for _, p := range all {
		same := func(q Polynomial) bool { return p.Equal(q) || p.Equal(Int(0).Minus(q)) }
		if p = p.Primitive(); !slices.ContainsFunc(kept, same) {
			kept = append(kept, p)
		}
	}
	return kept
}

// Resultant returns the resultant by a variable, the determinant of Sylvester's matrix, up to its sign. It is
// 0 where both polynomials are.
func Resultant(p, q Polynomial, v int) Polynomial {
	n, m := p.Degree(v), q.Degree(v)
	rows := make([][]Polynomial, n+m)
	for i := range rows {
		rows[i] = make([]Polynomial, n+m)
		of, shift := p.Coefficients(v), i
		if i >= m {
			of, shift = q.Coefficients(v), i-m
		}
		slices.Reverse(of)
		copy(rows[i][shift:], of)
	}
	return determinant(rows)
}

// determinant returns the determinant of a matrix by Bareiss's elimination, up to its sign.
func determinant(rows [][]Polynomial) Polynomial {
	last := Int(1)
	for c := range rows {
		pivot := slices.IndexFunc(rows[c:], func(row []Polynomial) bool { return len(row[c]) > 0 })
		if pivot < 0 {
			return nil
		}
		rows[c], rows[c+pivot] = rows[c+pivot], rows[c]
		for _, row := range rows[c+1:] {
			for j := len(rows) - 1; j > c; j-- {
				row[j], _ = row[j].Times(rows[c][c]).Minus(row[c].Times(rows[c][j])).Divide(last)
			}
			row[c] = nil
		}
		last = rows[c][c]
	}
	return last
}
