package labels

import (
	"context"
	"iter"

	"gamebots/solvers/nash/verify"
)

// nearTie is how close to 0 a variable of a vertex is a near tie.
const nearTie = 1e-8

// NearTies enumerates the vertices of the polytope {z >= 0, m z <= 1}, in floats, and
// yields those where a variable that may be positive is nearly 0: the rows whose
// inequality is tight there, and the columns whose z is positive. A game without
// an exact tie among them is nondegenerate, as far as floats can tell. It ends when
// ctx does.
func NearTies(ctx context.Context, m verify.Matrix) iter.Seq2[uint64, uint64] {
	return func(yield func(rows, cols uint64) bool) {
		// Breadth first, vertices are only a few pivots from the origin.
		start := newPolytope(m, 0, m.Cols)
		seen := map[Set]bool{start.basis(): true}
		for queue := []*tableau{start}; len(queue) > 0 && ctx.Err() == nil; queue = queue[1:] {
			t := queue[0]
			if t.hasNearTie() && !yield(t.tight(m)) {
				return
			}
			for c := range t.cols {
				for r := range t.leaving(c) {
					next := t.basis()
					next.Toggle(t.rowVar[r])
					next.Toggle(t.colVar[c])
					if seen[next] {
						continue
					}
					seen[next] = true
					neighbour := newTableau(t.rows, t.cols, t.probe)
					neighbour.copyFrom(t)
					neighbour.pivot(r, c)
					queue = append(queue, neighbour)
				}
			}
		}
	}
}

func (t *tableau) hasNearTie() bool {
	for r := range t.rows {
		if t.row(r)[constant] < nearTie {
			return true
		}
	}
	return false
}

// leaving yields the row that leaves the basis as the variable of a column enters:
// usually one, and all others within rounding errors of it.
func (t *tableau) leaving(c int) iter.Seq[int] {
	return func(yield func(int) bool) {
		smallest := -1.0
		for r := range t.rows {
			if x := t.row(r)[first+c]; x > pivotFloor {
				if ratio := t.row(r)[constant] / x; smallest < 0 || ratio < smallest {
					smallest = ratio
				}
			}
		}
		for r := range t.rows {
			if x := t.row(r)[first+c]; x > pivotFloor {
				if ratio := t.row(r)[constant] / x; ratio <= smallest+nearTie && !yield(r) {
					return
				}
			}
		}
	}
}

// basis returns the variables of rows.
func (t *tableau) basis() (s Set) {
	for _, v := range t.rowVar[:t.rows] {
		s.Add(v)
	}
	return s
}

// tight returns the rows whose inequality the vertex meets with equality, and the
// columns whose variable is positive there.
func (t *tableau) tight(m verify.Matrix) (rows, cols uint64) {
	s := t.basis()
	return ^s.slice(m.Cols, m.Rows) & (^uint64(0) >> (64 - m.Rows)), s.slice(0, m.Cols)
}
