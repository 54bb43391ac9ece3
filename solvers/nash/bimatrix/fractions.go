package bimatrix

import "math/big"

// Fractions formats numbers as fractions in lowest terms.
func Fractions(x []*big.Rat) []string {
	out := make([]string, len(x))
	for i, p := range x {
		out[i] = p.RatString()
	}
	return out
}

// AddDenominator makes a common denominator one of a fraction, too: their least common multiple.
func AddDenominator(common *big.Int, x *big.Rat) {
	if !x.IsInt() {
		gcd := new(big.Int).GCD(nil, nil, common, x.Denom())
		common.Mul(common, gcd.Quo(x.Denom(), gcd))
	}
}

// Scaled returns a fraction times a multiple of its denominator.
func Scaled(x *big.Rat, by *big.Int) *big.Int {
	n := new(big.Int).Mul(x.Num(), by)
	if !x.IsInt() {
		n.Quo(n, x.Denom())
	}
	return n
}
