package verify

import (
	"math/big"
	"slices"

	"gamebots/solvers/nash/bimatrix"
)

// A Matrix holds a player's payoffs as positive integers: scaled and shifted, which
// changes no equilibrium. Rows are the player's own strategies.
type Matrix struct {
	Rows, Cols int
	entries    []*big.Int // row by row
	small      []uint64   // the same; nil if one does not fit in a word
	largest    uint64     // entry of small

	// An entry is a payoff times common, less lowest, plus 1.
	common, lowest *big.Int
}

// newMatrix brings payoffs to a common denominator and shifts them so that the
// smallest is 1. Integers are only shifted.
func newMatrix(rows, cols int, payoffs []*big.Rat) Matrix {
	p := Matrix{Rows: rows, Cols: cols, common: big.NewInt(1)}
	for _, x := range payoffs {
		bimatrix.AddDenominator(p.common, x)
	}
	for _, x := range payoffs {
		p.entries = append(p.entries, bimatrix.Scaled(x, p.common))
	}
	p.lowest = slices.MinFunc(p.entries, (*big.Int).Cmp)
	shift := new(big.Int).Sub(big.NewInt(1), p.lowest)
	for i, x := range p.entries {
		p.entries[i] = new(big.Int).Add(x, shift)
	}
	if largest := slices.MaxFunc(p.entries, (*big.Int).Cmp); largest.BitLen() < 63 {
		p.largest = largest.Uint64()
		for _, x := range p.entries {
			p.small = append(p.small, x.Uint64())
		}
	}
	return p
}

// Entries returns the entries row by row. They are shared and must not be changed.
func (p Matrix) Entries() []*big.Int { return p.entries }

// transposed exchanges rows and columns.
func (p Matrix) transposed() Matrix {
	entries, small := transposed(p.entries, p.Rows, p.Cols), p.small
	if small != nil {
		small = transposed(small, p.Rows, p.Cols)
	}
	return Matrix{p.Cols, p.Rows, entries, small, p.largest, p.common, p.lowest}
}

func transposed[T any](m []T, rows, cols int) []T {
	t := make([]T, len(m))
	for i := range rows {
		for j := range cols {
			t[j*rows+i] = m[i*cols+j]
		}
	}
	return t
}

// Floats returns the entries row by row, divided by the largest.
func (p Matrix) Floats() []float64 {
	out := make([]float64, p.Rows*p.Cols)
	if p.small != nil && p.largest < 1<<53 { // exact as floats, so that the quotient is rounded once
		for i, x := range p.small {
			out[i] = float64(x) / float64(p.largest)
		}
		return out
	}
	largest := slices.MaxFunc(p.entries, (*big.Int).Cmp)
	for i, x := range p.entries {
		out[i], _ = new(big.Rat).SetFrac(x, largest).Float64()
	}
	return out
}
