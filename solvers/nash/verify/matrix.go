package verify

import (
	"math"
	"math/big"
	"slices"

	"gamebots/solvers/nash/game"
)

// A Matrix holds a player's payoffs as positive integers: scaled and shifted, which
// changes no equilibrium. Rows are the player's own strategies.
type Matrix struct {
	Rows, Cols int
	entries    []*big.Int // row by row
	small      []uint64   // the same; nil if a payoff does not fit in a word
	largest    uint64     // entry of small
	shift      int64      // the smallest payoff, whose entry in small is 1
}

// newMatrix brings payoffs to a common denominator and shifts them so that the
// smallest is 1. Integers are only shifted.
func newMatrix(rows, cols int, payoffs []*big.Rat) Matrix {
	p := Matrix{Rows: rows, Cols: cols, entries: make([]*big.Int, len(payoffs))}
	if !p.setSmall(payoffs) {
		p.entries = shiftedIntegers(payoffs)
		return p
	}
	for i, x := range p.small {
		p.entries[i] = new(big.Int).SetUint64(x)
	}
	return p
}

// setSmall fills in small and reports whether the payoffs fit.
func (p *Matrix) setSmall(payoffs []*big.Rat) bool {
	lowest, highest := int64(math.MaxInt64), int64(math.MinInt64)
	for _, x := range payoffs {
		if !x.IsInt() || !x.Num().IsInt64() {
			return false
		}
		n := x.Num().Int64()
		lowest, highest = min(lowest, n), max(highest, n)
	}
	if uint64(highest)-uint64(lowest) >= 1<<62 {
		return false
	}
	p.shift = lowest
	p.largest = uint64(highest) - uint64(lowest) + 1
	p.small = make([]uint64, len(payoffs))
	for i, x := range payoffs {
		p.small[i] = uint64(x.Num().Int64()) - uint64(lowest) + 1
	}
	return true
}

// Entries returns the entries row by row. They are shared and must not be changed.
func (p Matrix) Entries() []*big.Int { return p.entries }

func shiftedIntegers(payoffs []*big.Rat) []*big.Int {
	entries, common := make([]*big.Int, len(payoffs)), big.NewInt(1)
	for _, x := range payoffs {
		game.AddDenominator(common, x)
	}
	var lowest *big.Int
	for i, x := range payoffs {
		entries[i] = game.Scaled(x, common)
		if lowest == nil || entries[i].Cmp(lowest) < 0 {
			lowest = entries[i]
		}
	}
	shift := new(big.Int).Sub(big.NewInt(1), lowest)
	for _, x := range entries {
		x.Add(x, shift)
	}
	return entries
}

// transposed exchanges rows and columns.
func (p Matrix) transposed() Matrix {
	t := Matrix{Rows: p.Cols, Cols: p.Rows, largest: p.largest, shift: p.shift}
	t.entries = transposed(p.entries, p.Rows, p.Cols)
	if p.small != nil {
		t.small = transposed(p.small, p.Rows, p.Cols)
	}
	return t
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
