package correlated

import (
	"context"
	"errors"
	"math/big"
	"slices"
)

// errUnusable is returned for a basis from which the dual simplex method cannot go on:
// it is singular, or a cost is negative.
var errUnusable = errors.New("not a basis of nonnegative costs")

// An exactBasis is a basis with its solution, in integers over common denominators.
//
// Its matrix has a column for each of its cells, with what each tight incentive loses
// there, and a 1 for the sum of probabilities.
type exactBasis struct {
	*program
	basis
	matrix      [][]*big.Int // by tight incentive, and the row of ones
	p           []*big.Int   // by cell of the basis: probabilities times pScale
	pScale      *big.Int
	multipliers []*big.Int // by tight incentive, and then the value: times mScale
	mScale      *big.Int
	costs       []*big.Int // by cell of the game: times mScale
}

// solve solves for probabilities, multipliers and costs.
func (l *program) solve(b basis) (*exactBasis, error) {
	e := &exactBasis{program: l, basis: b}
	if len(b.cells) != len(b.tight)+1 {
		return nil, errUnusable
	}
	for _, i := range b.tight {
		e.matrix = append(e.matrix, e.losses(i))
	}
	e.matrix = append(e.matrix, slices.Repeat([]*big.Int{one}, len(b.cells)))
	e.p, e.pScale = solveLinear(e.matrix, e.unit(len(b.tight)))
	if e.p == nil {
		return nil, errUnusable
	}
	objective := make([]*big.Int, len(b.cells))
	for i, c := range b.cells {
		objective[i] = l.objective[c]
	}
	e.multipliers, e.mScale = e.solveTransposed(objective)
	for i := range b.tight {
		if e.multipliers[i].Neg(e.multipliers[i]).Sign() < 0 {
			return nil, errUnusable
		}
	}
	for c := range l.objective {
		cost := new(big.Int).Mul(l.objective[c], e.mScale)
		cost.Sub(e.multipliers[len(b.tight)], cost)
		for i, u := range b.tight {
			cost.Sub(cost, new(big.Int).Mul(e.multipliers[i], l.loss(l.incentives[u], c)))
		}
		if cost.Sign() < 0 {
			return nil, errUnusable
		}
		e.costs = append(e.costs, cost)
	}
	return e, nil
}

var one, zero = big.NewInt(1), new(big.Int)

// unit returns the vector with a 1 in place i.
func (e *exactBasis) unit(i int) []*big.Int {
	v := slices.Repeat([]*big.Int{zero}, len(e.cells))
	v[i] = one
	return v
}

// losses returns what incentive i loses in the cells of the basis.
func (e *exactBasis) losses(i int) []*big.Int {
	row := make([]*big.Int, len(e.cells))
	for n, c := range e.cells {
		row[n] = e.loss(e.incentives[i], c)
	}
	return row
}

// solveTransposed solves with the transposed matrix.
func (e *exactBasis) solveTransposed(right []*big.Int) ([]*big.Int, *big.Int) {
	n := len(e.cells)
	transposed := make([][]*big.Int, n)
	for i := range n {
		for _, row := range e.matrix {
			transposed[i] = append(transposed[i], row[i])
		}
	}
	return solveLinear(transposed, right)
}

// finish goes on from a basis by the dual simplex method, in integers, with Bland's
// rule.
func (l *program) finish(ctx context.Context, b basis) (*exactBasis, error) {
	for {
		e, err := l.solve(b)
		if err != nil {
			return nil, err
		}
		cell, incentive := e.infeasible()
		if cell < 0 && incentive < 0 {
			return e, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		b = e.exchange(cell, incentive)
	}
}

// infeasible returns the place in the basis of a cell of negative probability, or the
// number of an incentive that gains; -1 where there is none.
func (e *exactBasis) infeasible() (cell, incentive int) {
	for i, x := range e.p {
		if x.Sign() < 0 {
			return i, -1
		}
	}
	for i := range e.incentives {
		if !slices.Contains(e.tight, i) && dot(e.losses(i), e.p).Sign() < 0 {
			return -1, i
		}
	}
	return -1, -1
}

// exchange returns the basis without a cell, or in which an incentive has become
// tight.
func (e *exactBasis) exchange(cell, incentive int) basis {
	var right []*big.Int
	if cell >= 0 {
		right = e.unit(cell)
	} else {
		right = e.losses(incentive)
	}
	row, scale := e.solveTransposed(right)
	var entering struct{ cell, tight int }
	var least, entry *big.Int // cost and entry of the entering variable
	consider := func(cost, x *big.Int, cell, tight int) {
		if x.Sign() <= 0 {
			return
		}
		if least == nil || new(big.Int).Mul(cost, entry).Cmp(new(big.Int).Mul(least, x)) < 0 {
			least, entry = cost, x
			entering.cell, entering.tight = cell, tight
		}
	}
	for c, cost := range e.costs {
		if slices.Contains(e.cells, c) {
			continue
		}
		x := new(big.Int)
		if incentive >= 0 {
			x.Mul(e.loss(e.incentives[incentive], c), scale)
		}
		for i, u := range e.tight {
			x.Sub(x, new(big.Int).Mul(row[i], e.loss(e.incentives[u], c)))
		}
		consider(cost, x.Sub(x, row[len(e.tight)]), c, -1)
	}
	for i := range e.tight {
		consider(e.multipliers[i], row[i], -1, i)
	}
	next := basis{slices.Clone(e.cells), slices.Clone(e.tight)}
	if entering.tight >= 0 {
		next.tight = slices.Delete(next.tight, entering.tight, entering.tight+1)
	}
	if cell >= 0 {
		next.cells = slices.Delete(next.cells, cell, cell+1)
	} else {
		next.tight = append(next.tight, incentive)
	}
	if entering.cell >= 0 {
		next.cells = append(next.cells, entering.cell)
	}
	slices.Sort(next.cells)
	slices.Sort(next.tight)
	return next
}

func dot(x, y []*big.Int) *big.Int {
	sum, t := new(big.Int), new(big.Int)
	for i := range x {
		sum.Add(sum, t.Mul(x[i], y[i]))
	}
	return sum
}

// solveLinear solves matrix × x = right by Bareiss's fraction-free elimination. The
// solution is num / scale, scale > 0; num is nil if the matrix is singular.
func solveLinear(matrix [][]*big.Int, right []*big.Int) (num []*big.Int, scale *big.Int) {
	n := len(matrix)
	m := make([][]*big.Int, n)
	for i, row := range matrix {
		for _, x := range row {
			m[i] = append(m[i], new(big.Int).Set(x))
		}
		m[i] = append(m[i], new(big.Int).Set(right[i]))
	}
	before, t := one, new(big.Int)
	for c := range n {
		r := c
		for r < n && m[r][c].Sign() == 0 {
			r++
		}
		if r == n {
			return nil, nil
		}
		m[r], m[c] = m[c], m[r]
		for i := range m {
			if i == c {
				continue
			}
			for j := c + 1; j <= n; j++ {
				x := m[i][j]
				t.Mul(m[i][c], m[c][j])
				x.Mul(x, m[c][c]).Sub(x, t).Quo(x, before)
			}
		}
		before = m[c][c]
	}
	scale = new(big.Int).Abs(before)
	for i := range m {
		x := m[i][n]
		if before.Sign() < 0 {
			x.Neg(x)
		}
		num = append(num, x)
	}
	return num, scale
}
