package labels

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"

	"gamebots/internal/parallel"
	"gamebots/solvers/nash/verify"
)

// ErrTooClose is returned by FindTie for points that are not tied, but that floats
// cannot tell from a tie.
var ErrTooClose = errors.New("inequalities are too close together for floats")

// FindTie reports whether the polytope {z >= 0, m z <= 1} has a point at which more
// inequalities are tight than it has dimensions. The search is in floats. Where they
// cannot exclude a tie it calls exact, concurrently on all threads, with more
// variables than dimensions that may all be 0 at one point. Variables z are numbered
// from 0, and the slacks of rows from m.Cols on. The error is that of ctx, or
// ErrTooClose.
//
// The search branches over variables: those that are 0 in a branch narrow the polytope
// to a face, and the others do not count any more. A branch ends if too few variables
// are left for a tie. If there are only a few more, small determinants exclude one.
func FindTie(ctx context.Context, m verify.Matrix, threads int, exact func(zeros Set) bool) (bool, error) {
	o := ties{exact: exact}
	stop := context.AfterFunc(ctx, func() { o.stopped.Store(true) })
	defer stop()
	root := tiedFace{tableau: newPolytope(m, 0, m.Cols)}
	for v := range m.Cols + m.Rows {
		root.left.Add(uint8(v))
	}
	var tasks []tiedFace
	top := newTieSearch(&o, root.tableau)
	top.handOver = func(f tiedFace) {
		own := newTableau(f.rows, f.cols, f.probe)
		own.compactFrom(f.tableau)
		f.tableau = own
		tasks = append(tasks, f)
	}
	top.search(root, 0)
	parallel.For(threads, len(tasks), func(_, i int) { newTieSearch(&o, root.tableau).search(tasks[i], depthOfTasks) })
	switch {
	case o.found.Load():
		return true, nil
	case o.tooClose.Load():
		return false, ErrTooClose
	}
	return false, ctx.Err()
}

// depthOfTasks is the depth of the faces that threads share.
const depthOfTasks = 2

// ties is what the threads of FindTie share. Each of the flags ends the search.
type ties struct {
	exact                    func(zeros Set) bool
	found, tooClose, stopped atomic.Bool
	refuted                  atomic.Int64 // faces that exact refuted
}

// maxRefuted is how many ties may be refuted exactly before FindTie gives up: each
// takes as long as hundreds of faces.
const maxRefuted = 1000

// giveUp ends the search without a decision.
func (o *ties) giveUp() {
	o.tooClose.Store(true)
	o.stopped.Store(true)
}

// decide decides exactly whether all of some variables are 0 at one point.
func (o *ties) decide(zeros Set) {
	switch {
	case o.stopped.Load():
	case o.exact(zeros):
		o.found.Store(true)
		o.stopped.Store(true)
	case o.refuted.Add(1) > maxRefuted:
		o.giveUp()
	}
}

// A tiedFace is a face of the polytope, with as many columns as dimensions.
type tiedFace struct {
	*tableau
	zeros Set // variables that were forced to 0
	left  Set // variables that may still be counted as 0
}

// A tieSearch searches faces on one goroutine.
type tieSearch struct {
	*ties
	stack    []*tableau // tableau of each depth
	scratch  *tableau
	minors   minors
	handOver func(tiedFace) // takes the faces of depthOfTasks, if it is not nil
}

func newTieSearch(o *ties, root *tableau) *tieSearch {
	s := &tieSearch{ties: o, scratch: newTableau(root.rows, root.cols, root.probe)}
	for range root.cols {
		s.stack = append(s.stack, newTableau(root.rows, root.cols, root.probe))
	}
	return s
}

// search searches a face, whose tableau it changes.
func (s *tieSearch) search(f tiedFace, depth int) {
	if depth == depthOfTasks && s.handOver != nil {
		s.handOver(f)
		return
	}
	for !s.stopped.Load() {
		label, spare := s.survey(&f)
		if spare < 0 || f.cols == 0 || spare < maxMinorRows && s.untied(&f, spare) {
			return
		}
		f.left.Remove(label)
		below := tiedFace{s.stack[depth], f.zeros, f.left}
		below.compactFrom(f.tableau)
		below.zeros.Add(label)
		var pivots uint64
		switch below.force(label, &pivots) {
		case cycling:
			s.giveUp()
		case ambiguous:
			if below.cols == f.cols {
				s.giveUp() // the variable may be 0 on the whole face
			}
			fallthrough
		case forced:
			s.search(below, depth+1)
		}
	}
}

// survey drops the rows that cannot be 0 on the face, and decides about those that are
// nearly 0 at its current vertex. It returns the variable to branch over, the one
// closest to being impossible, and how many more are left than a tie needs.
func (s *tieSearch) survey(f *tiedFace) (label uint8, spare int) {
	spare = -f.cols - 1
	best := -1.0
	for _, v := range f.colVar[:f.cols] {
		if f.left.Has(v) {
			spare++
			label, best = v, 0
		}
	}
	for r := f.rows - 1; r >= 0; r-- {
		lowest, wrong := f.bounds(r)
		if lowest > wrong {
			f.drop(r)
			continue
		}
		v, now := f.rowVar[r], f.row(r)[constant]
		if now <= wrong {
			zeros := f.zeros
			for _, c := range f.colVar[:f.cols] {
				zeros.Add(c)
			}
			zeros.Add(v)
			s.decide(zeros)
		}
		if f.left.Has(v) {
			spare++
			if score := now / (now - lowest); score > best {
				label, best = v, score
			}
		}
	}
	return label, spare
}

// untied reports whether a face has no tie, as far as small determinants can tell. After
// an exchange of the columns that do not count, spare+1 rows and all columns do. A tie
// is a point where at most spare of the columns are positive, and one row more than
// these columns is 0: there a determinant of the constants and of these columns is 0.
func (s *tieSearch) untied(f *tiedFace, spare int) bool {
	t := s.scratch
	t.compactFrom(f.tableau)
	for c := range t.cols {
		if !f.left.Has(t.colVar[c]) && !t.exchangeWith(f.left, c) {
			return false
		}
	}
	m := &s.minors
	m.rows, m.wrong = 0, 0
	for r := range t.rows {
		if f.left.Has(t.rowVar[r]) {
			_, wrong := t.bounds(r)
			m.add(t.row(r)[constant], t.row(r)[first:], wrong)
		}
	}
	if spare > 0 {
		return m.areNonzero()
	}
	if math.Abs(m.border[0]) <= m.wrong {
		zeros := f.zeros
		for _, v := range slices.Concat(t.colVar[:t.cols], t.rowVar[:t.rows]) {
			if f.left.Has(v) {
				zeros.Add(v)
			}
		}
		s.decide(zeros)
	}
	return true
}

// exchangeWith exchanges a column with the row of a variable in rows that has the largest
// entry. Constants may become negative. It reports false if all these entries are close
// to 0.
func (t *tableau) exchangeWith(rows Set, c int) bool {
	r, largest := -1, exchangeFloor
	for i, v := range t.rowVar[:t.rows] {
		if x := math.Abs(t.row(i)[first+c]); x > largest && rows.Has(v) {
			r, largest = i, x
		}
	}
	if r < 0 {
		return false
	}
	t.exchange(r, c, math.Inf(-1))
	return true
}

// exchangeFloor is the smallest entry to exchange by.
const exchangeFloor = 1e-6
