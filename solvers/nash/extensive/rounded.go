package extensive

import (
	"fmt"
	"math/big"
	"strings"

	"gamebots/solvers/nash/bimatrix"
)

// Programs that print the probabilities of chance as decimals round them: three times
// 0.3333333333333333 is not 1. Such numbers are read as the fractions that they stand for.
var (
	maxError   = big.NewRat(1, 1e9)  // sums that differ more from 1 are mistakes
	nearly     = big.NewRat(1, 20)   // what a third of one digit is off
	floatError = big.NewRat(1, 1e15) // relative error of a number of 64 bits, and of what it was computed from
)

// maxDenominator is that of fractions which are recognized in decimals that add up to 1, too.
const maxDenominator = 1e6

// exact returns the probabilities that were printed as texts with the values p. If they had been
// rounded, the note says what they are read as. They add up to exactly 1.
func exact(p []*big.Rat, texts []string) (probabilities []*big.Rat, note string, err error) {
	sum, all, small := new(big.Rat), new(big.Rat), true
	fractions := make([]*big.Rat, len(p))
	for i, x := range p {
		unit := lastDigit(texts[i])
		fractions[i] = unrounded(x, unit)
		sum.Add(sum, x)
		all.Add(all, fractions[i])
		small = small && (fractions[i].Cmp(x) == 0 ||
			unit.Cmp(floatError) <= 0 && fractions[i].Denom().Cmp(big.NewInt(maxDenominator)) <= 0)
	}
	off := new(big.Rat).Sub(sum, one)
	off.Abs(off)
	switch recognized := all.Cmp(one) == 0; {
	case off.Cmp(maxError) >= 0, off.Sign() == 0 && (sameNumbers(p, fractions) || !recognized || !small):
		if err = checkProbabilities(p); err != nil && off.Sign() != 0 && off.Cmp(nearly) < 0 {
			err = fmt.Errorf("%w; fractions are written as 1/3, and decimals need ten digits", err)
		}
		return p, "", err
	case recognized:
		note = "rounded probabilities are read as " + first(fractions)
	default:
		for i, x := range p {
			fractions[i] = new(big.Rat).Quo(x, sum)
		}
		by, _ := off.Float64()
		note = fmt.Sprintf("probabilities, whose sum differs from 1 by %.2g, are divided by it", by)
	}
	return fractions, note, checkProbabilities(fractions)
}

// first lists some numbers at the beginning of a list.
func first(x []*big.Rat) string {
	const most = 6
	text := strings.Join(bimatrix.Fractions(x[:min(len(x), most)]), ", ")
	if len(x) > most {
		text += " ..."
	}
	return text
}

// lastDigit returns the unit of the last digit of a number, 0 for a whole number or a fraction.
func lastDigit(text string) *big.Rat {
	digits, exponent := text, ""
	if e := strings.IndexAny(text, "eE"); e >= 0 {
		digits, exponent = text[:e], text[e:]
	} else if !strings.Contains(text, ".") {
		return zero
	}
	digits = strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return '0'
		}
		return r
	}, strings.TrimSuffix(digits, "."))
	unit, err := bimatrix.ParseNumber(digits[:len(digits)-1] + "1" + exponent)
	if err != nil {
		return zero
	}
	return unit.Abs(unit)
}

// unrounded returns the fraction with the least denominator that may have been printed as p, with
// a last digit of some unit.
func unrounded(p, unit *big.Rat) *big.Rat {
	within := new(big.Rat).Mul(p, floatError)
	if within.Cmp(unit) < 0 {
		within = unit
	}
	if within.Cmp(maxError) > 0 {
		within = maxError
	}
	low := new(big.Rat).Sub(p, within)
	if unit.Sign() == 0 || low.Sign() <= 0 {
		return p // not rounded, or too small to tell
	}
	return simplest(low, new(big.Rat).Add(p, within))
}

// simplest returns the number of the smallest denominator between two others.
func simplest(low, high *big.Rat) *big.Rat {
	if low.Sign() < 0 && high.Sign() > 0 {
		return new(big.Rat)
	}
	if high.Sign() <= 0 {
		x := simplest(new(big.Rat).Neg(high), new(big.Rat).Neg(low))
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
	return floor.Add(floor, new(big.Rat).Inv(simplest(new(big.Rat).Inv(high), new(big.Rat).Inv(low))))
}
