package correlated

import (
	"context"
	"math"
	"math/big"
	"slices"

	"gamebots/internal/rng"
)

// A basis of the program: the cells that may have positive probability, and the
// incentives, by number and one fewer, that are 0 and may have a positive multiplier.
type basis struct {
	cells, tight []int
}

// Tolerances of the simplex method in floats. All numbers are scaled to be at most 1.
const (
	negative = 1e-11
	pivotMin = 1e-8
	tilt     = 1e-7
)

// A dictionary has the probability of a cell, or what an incentive loses, in each row:
// the constant plus the sum of entries times those of the columns, which are 0.
// Numbers from 0 are cells and then incentives.
type dictionary struct {
	rowVar, colVar []int
	a              [][]float64 // by row: the constant, then the entries
	costs, tilted  []float64   // by column, after 0: what the objective loses; tilted ones are never tied
}

// floatBasis returns a basis that is optimal in floats. It begins with the best cell
// for the objective, and moves by the dual simplex method to distributions that are
// equilibria. Small random costs prevent cycling; a primal simplex method corrects for
// them.
func (l *program) floatBasis(ctx context.Context) basis {
	d := l.newDictionary()
	for range 50 * (len(d.rowVar) + len(d.colVar)) {
		if ctx.Err() != nil || !d.dualStep() && !d.primalStep() {
			break
		}
	}
	var b basis
	cells := l.game.Cells()
	for _, v := range d.rowVar {
		if v < cells {
			b.cells = append(b.cells, v)
		}
	}
	for _, v := range d.colVar {
		if v >= cells {
			b.tight = append(b.tight, v-cells)
		}
	}
	slices.Sort(b.cells)
	slices.Sort(b.tight)
	return b
}

// start returns the basis of the best cell for the objective.
func (l *program) start() basis {
	best := 0
	for c, x := range l.objective {
		if x.Cmp(l.objective[best]) > 0 {
			best = c
		}
	}
	return basis{cells: []int{best}}
}

func (l *program) newDictionary() *dictionary {
	best, draws := l.start().cells[0], rng.Stream(0)
	d := &dictionary{}
	objective := floats(l.objective)
	d.costs, d.tilted = []float64{0}, []float64{0}
	share := []float64{1} // of the best cell
	for c := range objective {
		if c != best {
			d.colVar = append(d.colVar, c)
			cost := objective[best] - objective[c]
			d.costs = append(d.costs, cost)
			d.tilted = append(d.tilted, cost+tilt*(1+draws.Float64()))
			share = append(share, -1)
		}
	}
	d.rowVar, d.a = []int{best}, [][]float64{share}
	payoffs := make([][]float64, len(l.payoffs))
	for p := range payoffs {
		payoffs[p] = floats(l.payoffs[p])
	}
	for n, i := range l.incentives {
		loss := func(cell int) float64 {
			stride := l.strides[i.Player]
			at := cell / stride % l.game.Sizes[i.Player]
			if i.From >= 0 && at != i.From {
				return 0
			}
			return payoffs[i.Player][cell] - payoffs[i.Player][cell+(i.To-at)*stride]
		}
		row := []float64{loss(best)}
		for _, c := range d.colVar {
			row = append(row, loss(c)-row[0])
		}
		d.rowVar, d.a = append(d.rowVar, len(objective)+n), append(d.a, row)
	}
	return d
}

// floats returns integers divided by the largest.
func floats(x []*big.Int) []float64 {
	largest := big.NewInt(1)
	for _, n := range x {
		if n.CmpAbs(largest) > 0 {
			largest = new(big.Int).Abs(n)
		}
	}
	out := make([]float64, len(x))
	for i, n := range x {
		out[i], _ = new(big.Rat).SetFrac(n, largest).Float64()
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
		return false // rounding errors: every game has an equilibrium
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
		for j, x := range pivot {
			row[j] += f * x
		}
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
