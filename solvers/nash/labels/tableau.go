package labels

import "math"

// A tableau is a dictionary of one polytope's variables on one of its faces:
//
//	row's variable = constant - sum over columns of entry × column's variable.
//
// All variables are nonnegative and scaled to be at most 1. Those of columns are 0
// at the current vertex. Variables that have neither row nor column are 0 on the
// face, or do not constrain it.
//
// Each row begins with its constant and with the terms, at a fixed point called the
// probe, of the variables that were forced to 0. As the values of all variables at
// the probe are known, a row shows how large its rounding error is (see slackOf).
type tableau struct {
	rows, cols int // numbers of variables
	stride     int
	rowVar     []uint8
	colVar     []uint8
	a          []float64
	probe      []float64 // value of each variable at the probe
}

// Columns of a row before those of variables.
const (
	constant  = 0
	forgotten = 1 // the terms of variables without a column, at the probe
	first     = 2
)

// Bounds of rounding errors. The error of a row is taken to be errorScale times its
// error at the probe, and at least errorFloor. A pivot must exceed pivotFloor.
const (
	errorFloor = 1e-11
	errorScale = 1024
	pivotFloor = 1e-9
)

func newTableau(rows, cols int, probe []float64) *tableau {
	return &tableau{
		rowVar: make([]uint8, rows), colVar: make([]uint8, cols), a: make([]float64, rows*(cols+first)), probe: probe,
	}
}

// copyFrom makes t a copy of another tableau, in t's own memory.
func (t *tableau) copyFrom(from *tableau) {
	t.rows, t.cols, t.stride = from.rows, from.cols, from.stride
	copy(t.rowVar, from.rowVar[:from.rows])
	copy(t.colVar, from.colVar[:from.cols])
	copy(t.a, from.a[:from.rows*from.stride])
}

// compactFrom is copyFrom without room for columns that were forgotten.
func (t *tableau) compactFrom(from *tableau) {
	t.rows, t.cols, t.stride = from.rows, from.cols, first+from.cols
	copy(t.rowVar, from.rowVar[:from.rows])
	copy(t.colVar, from.colVar[:from.cols])
	for r := range from.rows {
		copy(t.a[r*t.stride:], from.row(r))
	}
}

func (t *tableau) row(r int) []float64 { return t.a[r*t.stride : r*t.stride+first+t.cols] }

// bounds returns a lower bound of the variable of a row on the whole face, and a bound
// of its rounding error.
func (t *tableau) bounds(r int) (lowest, wrong float64) {
	row := t.row(r)
	lowest = row[constant]
	atProbe, size := row[constant]-row[forgotten], 1.0
	for c, x := range row[first:] {
		lowest -= max(x, 0)
		atProbe -= x * t.probe[t.colVar[c]]
		size += math.Abs(x)
	}
	return lowest, max(errorFloor*size, errorScale*math.Abs(atProbe-t.probe[t.rowVar[r]]))
}

// slackOf returns a lower bound of the variable of a row on the whole face, less the
// bound of its rounding error. A negative bound proves nothing.
func (t *tableau) slackOf(r int) float64 {
	lowest, wrong := t.bounds(r)
	return lowest - wrong
}

// pivot exchanges the variables of a row and a column. Constants that rounding made
// negative become 0.
func (t *tableau) pivot(r, c int) { t.exchange(r, c, 0) }

// exchange exchanges the variables of a row and a column. No constant but that of the row
// is less than lowest.
func (t *tableau) exchange(r, c int, lowest float64) {
	pr := t.row(r)
	p := 1 / pr[first+c]
	pr[first+c] = 1
	for j := range pr {
		pr[j] *= p
	}
	for i := range t.rows {
		if i == r {
			continue
		}
		row := t.row(i)
		f := row[first+c]
		row[first+c] = 0
		for j, x := range pr {
			row[j] -= f * x
		}
		row[constant] = max(row[constant], lowest)
	}
	t.rowVar[r], t.colVar[c] = t.colVar[c], t.rowVar[r]
}

// forget removes a column, whose variable is 0 from now on.
func (t *tableau) forget(c int) {
	at, last := t.probe[t.colVar[c]], t.cols-1
	for r := range t.rows {
		row := t.row(r)
		row[forgotten] += row[first+c] * at
		row[first+c] = row[first+last]
	}
	t.colVar[c] = t.colVar[last]
	t.cols--
}

// drop removes a row, whose variable does not constrain the face.
func (t *tableau) drop(r int) {
	last := t.rows - 1
	if r != last {
		copy(t.row(r), t.row(last))
		t.rowVar[r] = t.rowVar[last]
	}
	t.rows--
}

// outcome is the result of forcing a variable to 0.
type outcome int

const (
	forced    outcome = iota
	empty             // the face has no point where it is 0
	ambiguous         // forced, but within rounding errors there may be no such point
	cycling           // the simplex search did not end
)

// lookup returns the row or the column of a variable, and -1 for the other. A
// variable that was removed has neither.
func (t *tableau) lookup(v uint8) (row, col int) {
	for c, x := range t.colVar[:t.cols] {
		if x == v {
			return -1, c
		}
	}
	for r, x := range t.rowVar[:t.rows] {
		if x == v {
			return r, -1
		}
	}
	return -1, -1
}

// maxPivots ends a simplex search that cycles.
const maxPivots = 500

// force narrows the face to where a variable is 0. It minimises the variable by the
// simplex method, which usually takes one or two pivots.
func (t *tableau) force(v uint8, pivots *uint64) outcome {
	r, c := t.lookup(v)
	if c >= 0 {
		t.forget(c)
		return forced
	}
	if r < 0 {
		return empty // rows are dropped only if they cannot be 0
	}
	for range maxPivots {
		if t.slackOf(r) > 0 {
			return empty
		}
		enter, best := -1, pivotFloor
		for j, x := range t.row(r)[first:] {
			if x > best {
				enter, best = j, x
			}
		}
		*pivots++
		if enter < 0 {
			return t.forceAmbiguous(r)
		}
		leave, least := r, t.row(r)[constant]/best
		for i := range t.rows {
			if x := t.a[i*t.stride+first+enter]; x > pivotFloor && i != r {
				if ratio := t.a[i*t.stride] / x; ratio < least {
					leave, least = i, ratio
				}
			}
		}
		t.pivot(leave, enter)
		if leave == r {
			t.forget(enter)
			return forced
		}
	}
	return cycling
}

// forceAmbiguous forces the variable of a row that is 0 within rounding errors, by a
// pivot on the largest entry of either sign.
func (t *tableau) forceAmbiguous(r int) outcome {
	col, best := -1, pivotFloor
	for j, x := range t.row(r)[first:] {
		if math.Abs(x) > best {
			col, best = j, math.Abs(x)
		}
	}
	if col < 0 {
		t.drop(r) // 0 on the whole face
		return ambiguous
	}
	t.pivot(r, col)
	t.forget(col)
	return ambiguous
}
