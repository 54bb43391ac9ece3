package polynomial

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// Text returns a polynomial with names for its variables, as "1 + 2ab - b^2".
func (p Polynomial) Text(names map[int]string) string {
	if len(p) == 0 {
		return "0"
	}
	var monomials []monomial
	for m := range p {
		monomials = append(monomials, m)
	}
	slices.SortFunc(monomials, func(a, b monomial) int {
		return cmp.Or(a.degree()-b.degree(), slices.Compare(b[:], a[:]))
	})
	var text strings.Builder
	for i, m := range monomials {
		x := p[m]
		switch {
		case x.Sign() < 0 && i == 0:
			text.WriteString("-")
		case x.Sign() < 0:
			text.WriteString(" - ")
		case i > 0:
			text.WriteString(" + ")
		}
		if x = new(big.Int).Abs(x); m == (monomial{}) || x.Cmp(big.NewInt(1)) != 0 {
			text.WriteString(x.String())
		}
		for v, n := range m {
			if n > 0 {
				text.WriteString(names[v])
			}
			if n > 1 {
				text.WriteString("^" + strconv.Itoa(int(n)))
			}
		}
	}
	return text.String()
}

// degree returns the sum of all exponents.
func (m monomial) degree() int {
	sum := 0
	for _, n := range m {
		sum += int(n)
	}
	return sum
}
