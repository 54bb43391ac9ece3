package labels

import (
	"gamebots/internal/rng"
	"gamebots/solvers/nash/verify"
)

// An Order is the rule by which a search chooses the label to branch over. Both find
// the same equilibria.
type Order int

// The orders.
const (
	BySum     Order = iota // the sum of a label's scores on the two sides
	ByProduct              // their product: smaller trees with more pivots
)

// The polytopes of a pair.
const (
	SideP = 0 // x_i = 0, or column j is a best reply
	SideQ = 1 // row i is a best reply, or y_j = 0
)

// A Space is the search tree of a game: its two polytopes and an order of branching.
// It is safe for concurrent use.
type Space struct {
	rows, cols, labels int
	root               [2]*tableau
	order              Order
}

// NewSpace makes the tableaux at the origins of both polytopes.
func NewSpace(v *verify.Verifier, order Order) *Space {
	s := &Space{rows: v.A.Rows, cols: v.A.Cols, labels: v.A.Rows + v.A.Cols, order: order}
	s.root[SideP] = newPolytope(v.BT, 0, s.rows)
	s.root[SideQ] = newPolytope(v.A, s.rows, 0)
	return s
}

// supports returns the supports at a leaf with the labels inQ in Q.
func (s *Space) supports(inQ Set) (rows, cols uint64) {
	return inQ.slice(0, s.rows), ^inQ.slice(s.rows, s.cols) & (^uint64(0) >> (64 - s.cols))
}

// newPolytope makes the tableau of {z >= 0, m z <= 1}. The variables z are numbered
// from columns on, and the rows' slacks from rows on. Each z is multiplied by the
// largest entry of its column, so that it is at most 1.
func newPolytope(m verify.Matrix, columns, rows int) *tableau {
	f := m.Floats()
	t := newTableau(m.Rows, m.Cols, make([]float64, m.Rows+m.Cols))
	t.rows, t.cols, t.stride = m.Rows, m.Cols, m.Cols+first
	probe := rng.Stream(columns + 1)
	for c := range m.Cols {
		t.colVar[c] = uint8(columns + c)
		t.probe[columns+c] = probe.Float64()
		largest := 0.0
		for r := range m.Rows {
			largest = max(largest, f[r*m.Cols+c])
		}
		for r := range m.Rows {
			t.a[r*t.stride+first+c] = f[r*m.Cols+c] / largest
		}
	}
	for r := range m.Rows {
		t.rowVar[r] = uint8(rows + r)
		row := t.row(r)
		row[constant] = 1
		slack := 1.0
		for c, x := range row[first:] {
			slack -= x * t.probe[columns+c]
		}
		t.probe[rows+r] = slack
	}
	return t
}
