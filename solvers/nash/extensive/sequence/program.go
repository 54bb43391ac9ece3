package sequence

import (
	"context"
	"errors"
	"math/big"
	"slices"
)

// errInfeasible is returned for a program whose rows contradict each other.
var errInfeasible = errors.New("no numbers satisfy all rows of the linear program")

// A linearProgram is to minimise cost × x with row × x >= right for each row, and x >= 0. No
// cost is negative.
type linearProgram struct {
	Cost  []*big.Int         // cost of each column
	Right []*big.Int         // right side of each row
	Row   func(i int) []term // the entries that are not 0
}

// A linearSolution is an optimum with its proof. The dual values are not negative. Each column
// of the matrix, times them, is at most its cost; so right × dual, which equals cost × x,
// is a bound of the cost of all that satisfies the rows.
type linearSolution struct {
	X    []*big.Rat // value of each column
	Dual []*big.Rat // dual value of each row
}

// Solve finds an optimum. It fails with errInfeasible or the error of ctx.
func (p *linearProgram) Solve(ctx context.Context) (*linearSolution, error) {
	s, err := p.finish(ctx, p.floatBasis(ctx))
	if errors.Is(err, errUnusable) {
		s, err = p.finish(ctx, basis{})
	}
	return s, err
}

// A basis of a program: the columns that may be positive, and as many rows that are tight,
// row × x = right, and may have a positive dual value.
type basis struct{ cols, tight []int }

// errUnusable is returned for a basis from which the dual simplex method cannot go on:
// it is singular, or a cost is negative.
var errUnusable = errors.New("not a basis of nonnegative costs")

// A vertex is a basis with its solution, in integers over common denominators.
type vertex struct {
	*linearProgram
	basis
	place     []int // place of each column in the basis, or -1
	system    *system
	x         []*big.Int // value of each column of the basis, times scale
	scale     *big.Int
	dual      []*big.Int // dual value of each tight row, times dualScale
	costs     []*big.Int // reduced cost of each column, times dualScale
	dualScale *big.Int
}

// solve computes a vertex. It fails with errUnusable if a cost is negative.
func (p *linearProgram) solve(ctx context.Context, b basis) (*vertex, error) {
	v := &vertex{linearProgram: p, basis: b, place: slices.Repeat([]int{-1}, len(p.Cost))}
	for i, c := range b.cols {
		v.place[c] = i
	}
	matrix, right, cost := make([][]term, len(b.tight)), make([]*big.Int, len(b.tight)), make([]*big.Int, len(b.cols))
	for i, r := range b.tight {
		matrix[i], right[i] = v.inBasis(p.Row(r)), p.Right[r]
	}
	for i, c := range b.cols {
		cost[i] = p.Cost[c]
	}
	var err error
	if v.system, err = newSystem(ctx, matrix); err != nil {
		return nil, err
	}
	if v.x, v.scale, err = v.system.solve(ctx, right); err != nil {
		return nil, err
	}
	if v.dual, v.dualScale, err = v.system.solveTransposed(ctx, cost); err != nil {
		return nil, err
	}
	t := new(big.Int)
	for _, c := range p.Cost {
		v.costs = append(v.costs, new(big.Int).Mul(c, v.dualScale))
	}
	for i, r := range b.tight {
		if v.dual[i].Sign() < 0 {
			return nil, errUnusable
		}
		for _, e := range p.Row(r) {
			v.costs[e.Col].Sub(v.costs[e.Col], t.Mul(e.Value, v.dual[i]))
		}
	}
	for _, c := range v.costs {
		if c.Sign() < 0 {
			return nil, errUnusable
		}
	}
	return v, nil
}

// inBasis returns the entries of a row in columns of the basis, by their places there.
func (v *vertex) inBasis(row []term) []term {
	var in []term
	for _, e := range row {
		if i := v.place[e.Col]; i >= 0 {
			in = append(in, term{i, e.Value})
		}
	}
	return in
}

// finish goes on from a basis by the dual simplex method, with Bland's rule.
func (p *linearProgram) finish(ctx context.Context, b basis) (*linearSolution, error) {
	for {
		v, err := p.solve(ctx, b)
		if err != nil {
			return nil, err
		}
		col, row := v.infeasible()
		if col < 0 && row < 0 {
			return v.solution(), nil
		}
		if b, err = v.exchange(ctx, col, row); err != nil {
			return nil, err
		}
	}
}

// infeasible returns the place in the basis of a negative column, or the number of a row
// that is too small; -1 where there is none.
func (v *vertex) infeasible() (col, row int) {
	for i, x := range v.x {
		if x.Sign() < 0 {
			return i, -1
		}
	}
	sum, t := new(big.Int), new(big.Int)
	for r, right := range v.Right {
		if _, tight := slices.BinarySearch(v.tight, r); tight {
			continue
		}
		sum.Mul(right, v.scale).Neg(sum)
		for _, e := range v.inBasis(v.Row(r)) {
			sum.Add(sum, t.Mul(e.Value, v.x[e.Col]))
		}
		if sum.Sign() < 0 {
			return -1, r
		}
	}
	return -1, -1
}

// exchange returns the basis without a column, or in which a row has become tight. What
// enters it has the smallest ratio of its cost, or its dual value, and its entry in the
// row of the dictionary that leaves.
func (v *vertex) exchange(ctx context.Context, col, row int) (basis, error) {
	right := slices.Repeat([]*big.Int{new(big.Int)}, len(v.cols))
	entries := zeros(len(v.costs))
	if col >= 0 {
		right[col] = big.NewInt(1)
	} else {
		for _, e := range v.inBasis(v.Row(row)) {
			right[e.Col] = e.Value
		}
	}
	tight, scale, err := v.system.solveTransposed(ctx, right)
	if err != nil {
		return basis{}, err
	}
	if row >= 0 {
		for _, e := range v.Row(row) {
			entries[e.Col].Mul(e.Value, scale)
		}
	}
	t := new(big.Int)
	for i, r := range v.tight {
		for _, e := range v.Row(r) {
			entries[e.Col].Sub(entries[e.Col], t.Mul(e.Value, tight[i]))
		}
	}
	enteringCol, enteringTight := -1, -1
	var least, entry *big.Int
	smaller := func(cost, x *big.Int) bool {
		if x.Sign() <= 0 || least != nil && t.Mul(cost, entry).Cmp(new(big.Int).Mul(least, x)) >= 0 {
			return false
		}
		least, entry = cost, x
		return true
	}
	for c, x := range entries {
		if v.place[c] < 0 && smaller(v.costs[c], x) {
			enteringCol = c
		}
	}
	for i, x := range tight {
		if smaller(v.dual[i], x) {
			enteringCol, enteringTight = -1, i
		}
	}
	if least == nil {
		return basis{}, errInfeasible
	}
	next := basis{slices.Clone(v.cols), slices.Clone(v.tight)}
	if enteringTight >= 0 {
		next.tight = slices.Delete(next.tight, enteringTight, enteringTight+1)
	}
	if col >= 0 {
		next.cols = slices.Delete(next.cols, col, col+1)
	} else {
		next.tight = append(next.tight, row)
	}
	if enteringCol >= 0 {
		next.cols = append(next.cols, enteringCol)
	}
	slices.Sort(next.cols)
	slices.Sort(next.tight)
	return next, nil
}

// solution returns the vertex and its dual values as fractions.
func (v *vertex) solution() *linearSolution {
	s := &linearSolution{X: make([]*big.Rat, len(v.Cost)), Dual: make([]*big.Rat, len(v.Right))}
	for c := range s.X {
		s.X[c] = new(big.Rat)
	}
	for r := range s.Dual {
		s.Dual[r] = new(big.Rat)
	}
	for i, c := range v.cols {
		s.X[c].SetFrac(v.x[i], v.scale)
	}
	for i, r := range v.tight {
		s.Dual[r].SetFrac(v.dual[i], v.dualScale)
	}
	return s
}
