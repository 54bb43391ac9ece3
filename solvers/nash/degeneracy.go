package nash

import (
	"context"
	"slices"
)

// Degeneracy is looked for at every vertex of games with at most so many
// strategies a player.
const maxChecked = 14

// nearTie is how near to 0 a variable of a vertex is looked at exactly.
const nearTie = 1e-8

// degenerate says whether a vertex of either polytope has more labels than it
// needs, which is where a mixture has more best replies than strategies. Games
// with more strategies than maxChecked are not looked at.
func (p *prover) degenerate(ctx context.Context) bool {
	if max(p.a.rows, p.a.cols) > maxChecked {
		return false
	}
	return degenerateVertex(ctx, p.bt) || degenerateVertex(ctx, p.a)
}

// degenerateVertex goes through the vertices of {z >= 0, at z <= 1} by exchanges
// of two variables, in floats; each variable that is nearly 0 without having to is
// looked at exactly. Breadth first the vertices are a few pivots from the origin.
func degenerateVertex(ctx context.Context, at positive) bool {
	start := newPolytope(at, 0, at.cols)
	seen := map[labelSet]bool{start.basis(): true}
	for queue := []*tableau{start}; len(queue) > 0 && ctx.Err() == nil; queue = queue[1:] {
		t := queue[0]
		for r := range t.rows {
			if t.row(r)[constant] < nearTie {
				rows, cols := t.tight(at)
				switch _, how := at.indifferent(rows, cols); how {
				case isTied:
					return true
				case isSingular: // floats went astray
					return newDictionary(at, 0, at.cols).degenerate(ctx)
				}
				break
			}
		}
		for c := range t.cols {
			for r := range t.leaving(c) {
				next := t.basis()
				next.toggle(t.rowVar[r])
				next.toggle(t.colVar[c])
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
	return false
}

// tiedExactly says whether a game is degenerate whose search by floats came to a
// place that is none. Where that takes too long it is by its extreme equilibria.
func (p *prover) tiedExactly(ctx context.Context, extreme []Equilibrium) bool {
	if slices.ContainsFunc(extreme, func(e Equilibrium) bool { return e.Index == 0 }) {
		return true
	}
	return max(p.a.rows, p.a.cols) <= maxChecked &&
		(newDictionary(p.bt, 0, p.bt.cols).degenerate(ctx) || newDictionary(p.a, 0, p.a.cols).degenerate(ctx))
}

// leaving calls with each row that the variable of a column throws out as it
// grows: mostly one, and all that are within rounding of being it.
func (t *tableau) leaving(c int) func(yield func(r int) bool) {
	return func(yield func(int) bool) {
		least := -1.0
		for r := range t.rows {
			if x := t.row(r)[first+c]; x > pivotFloor {
				if ratio := t.row(r)[constant] / x; least < 0 || ratio < least {
					least = ratio
				}
			}
		}
		for r := range t.rows {
			if x := t.row(r)[first+c]; x > pivotFloor {
				if ratio := t.row(r)[constant] / x; ratio <= least+nearTie && !yield(r) {
					return
				}
			}
		}
	}
}

func (s *labelSet) toggle(l uint8) { s[l>>6] ^= 1 << (l & 63) }

// basis returns the variables of rows.
func (t *tableau) basis() (s labelSet) {
	for _, v := range t.rowVar[:t.rows] {
		s.add(v)
	}
	return s
}

// tight returns the rows of the inequalities that the vertex meets, and the
// columns of variables that are not 0 there, in the numbering of at.
func (t *tableau) tight(at positive) (rows, cols uint64) {
	s := t.basis()
	return ^s.slice(at.cols, at.rows) & (^uint64(0) >> (64 - at.rows)), s.slice(0, at.cols)
}
