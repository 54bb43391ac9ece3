package sequence

import (
	"context"
	"math"
	"math/big"
	"slices"

	"gamebots/internal/rng"
)

// Tolerances of the simplex method in floats. All numbers are scaled to be at most 1.
const (
	negative = 1e-11
	pivotMin = 1e-8
	tilt     = 1e-7
)

// A dictionary has a variable in each row: the constant plus the sum of entries times the
// variables of the columns, which are 0. Numbers from 0 are the columns of a program, and
// then what its rows exceed their right sides by.
type dictionary struct {
	rowVar, colVar []int
	a              [][]float64 // rows: the constant, then the entries
	costs, tilted  []float64   // column costs, after a 0; tilted ones are never tied
}

// floatBasis returns a basis that is optimal in floats. It begins with all columns at 0,
// which costs least, and moves by the dual simplex method to numbers that satisfy the
// rows. Small random costs prevent cycling; a primal simplex method corrects for them.
func (p *linearProgram) floatBasis(ctx context.Context) basis {
	d := p.newDictionary()
	for range 50 * (len(d.rowVar) + len(d.colVar)) {
		if ctx.Err() != nil || !d.dualStep() && !d.primalStep() {
			break
		}
	}
	var b basis
	n := len(p.Cost)
	for _, v := range d.rowVar {
		if v < n {
			b.cols = append(b.cols, v)
		}
	}
	for _, v := range d.colVar {
		if v >= n {
			b.tight = append(b.tight, v-n)
		}
	}
	slices.Sort(b.cols)
	slices.Sort(b.tight)
	return b
}

func (p *linearProgram) newDictionary() *dictionary {
	draws := rng.Stream(0)
	d := &dictionary{costs: append([]float64{0}, floats(p.Cost)...), tilted: []float64{0}}
	for c, cost := range d.costs[1:] {
		d.colVar = append(d.colVar, c)
		d.tilted = append(d.tilted, cost+tilt*(1+draws.Float64()))
	}
	for r, right := range p.Right {
		terms := p.Row(r)
		values := []*big.Int{right}
		for _, e := range terms {
			values = append(values, e.Value)
		}
		scaled, row := floats(values), make([]float64, 1+len(p.Cost))
		row[0] = -scaled[0]
		for i, e := range terms {
			row[1+e.Col] = scaled[1+i]
		}
		d.rowVar, d.a = append(d.rowVar, len(p.Cost)+r), append(d.a, row)
	}
	return d
}

// floats returns integers, divided by the largest absolute value if that exceeds 1.
func floats(x []*big.Int) []float64 {
	largest := big.NewInt(1)
	for _, n := range x {
		if n.CmpAbs(largest) > 0 {
			largest = new(big.Int).Abs(n)
		}
	}
	out := make([]float64, len(x))
	for i, n := range x {
		if largest.IsInt64() {
			out[i] = float64(n.Int64()) / float64(largest.Int64())
		} else {
			out[i], _ = new(big.Rat).SetFrac(n, largest).Float64()
		}
	}
	return out
}

// dualStep exchanges the row that is most negative. It reports whether there is one.
func (d *dictionary) dualStep() bool {
	leave, lowest := -1, -negative
	for r, row := range d.a {
		if row[0] < lowest {
			leave, lowest = r, row[0]
		}
	}
	if leave < 0 {
		return false
	}
	enter, least := -1, math.Inf(1)
	for j, x := range d.a[leave] {
		if j > 0 && x > pivotMin {
			if ratio := d.tilted[j] / x; ratio < least {
				enter, least = j, ratio
			}
		}
	}
	if enter < 0 {
		return false // infeasible, or rounding errors
	}
	d.pivot(leave, enter)
	return true
}

// primalStep exchanges the column that gains most without tilt. It reports whether
// there is one.
func (d *dictionary) primalStep() bool {
	enter, lowest := -1, -negative
	for j, x := range d.costs {
		if j > 0 && x < lowest {
			enter, lowest = j, x
		}
	}
	if enter < 0 {
		return false
	}
	leave, least := -1, math.Inf(1)
	for r, row := range d.a {
		if x := row[enter]; x < -pivotMin {
			if ratio := max(row[0], 0) / -x; ratio < least {
				leave, least = r, ratio
			}
		}
	}
	if leave < 0 {
		return false
	}
	d.pivot(leave, enter)
	return true
}

// pivot exchanges the variables of a row and a column; columns count from 1.
func (d *dictionary) pivot(r, c int) {
	pivot := d.a[r]
	p := -1 / pivot[c]
	pivot[c] = -1
	for j := range pivot {
		pivot[j] *= p
	}
	update := func(row []float64) {
		f := row[c]
		if f == 0 {
			return
		}
		row[c] = 0
		addMultiple(row, pivot, f)
	}
	for i, row := range d.a {
		if i != r {
			update(row)
		}
	}
	update(d.costs)
	update(d.tilted)
	d.rowVar[r], d.colVar[c-1] = d.colVar[c-1], d.rowVar[r]
}

// addMultiple adds a multiple of a row to another one of the same length. Almost all time of the search is spent here:
// four entries a turn are faster, and their speed depends less on where the compiler puts the loop.
func addMultiple(row, other []float64, factor float64) {
	for len(row) >= 4 && len(other) >= 4 {
		row[0] += factor * other[0]
		row[1] += factor * other[1]
		row[2] += factor * other[2]
		row[3] += factor * other[3]
		row, other = row[4:], other[4:]
	}
	for j, x := range other {
		row[j] += factor * x
	}
}
