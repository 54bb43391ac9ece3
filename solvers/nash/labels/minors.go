package labels

import (
	"math"
	"math/bits"
)

// maxMinorRows is the largest number of rows of minors.
const maxMinorRows = 4

// minors are the determinants of a border and of any number of columns, in as many of
// the rows as these are together.
type minors struct {
	rows    int
	border  [maxMinorRows]float64
	columns []minorColumn
	wrong   float64 // bounds the rounding errors of entries
}

type minorColumn struct {
	entries [maxMinorRows]float64
	size    float64 // absolute value of the largest entry
}

// add adds a row.
func (m *minors) add(border float64, entries []float64, wrong float64) {
	if m.rows == 0 {
		m.columns = m.columns[:0]
		for range entries {
			m.columns = append(m.columns, minorColumn{})
		}
	}
	m.border[m.rows] = border
	for i, x := range entries {
		c := &m.columns[i]
		c.entries[m.rows] = x
		c.size = max(c.size, math.Abs(x))
	}
	m.rows++
	m.wrong = max(m.wrong, wrong)
}

// rowSets has the sets of rows, by how many they are.
var rowSets = func() (sets [maxMinorRows + 1][]uint8) {
	for set := range uint8(1 << maxMinorRows) {
		n := bits.OnesCount8(set)
		sets[n] = append(sets[n], set)
	}
	return sets
}()

// A minorForm has the minors of some columns, by the set of their rows.
type minorForm struct {
	of      [1 << maxMinorRows]float64
	largest float64
	wrong   float64 // bounds their rounding errors
}

// areNonzero reports whether no minor is 0 within rounding errors.
func (m *minors) areNonzero() bool {
	f := minorForm{wrong: m.wrong}
	for r, x := range m.border[:m.rows] {
		if math.Abs(x) <= m.wrong {
			return false
		}
		f.of[1<<r] = x
		f.largest = max(f.largest, math.Abs(x))
	}
	return m.extensionsAreNonzero(&f, 1, 0)
}

// extensionsAreNonzero reports whether no minor is 0 that has the columns of a form,
// which are n with the border, and at least one of those from one on.
func (m *minors) extensionsAreNonzero(f *minorForm, n, from int) bool {
	switch n {
	case m.rows:
		return true
	case m.rows - 1:
		return m.lastAreNonzero(f, from)
	}
	for i := from; i < len(m.columns); i++ {
		c := &m.columns[i]
		g := minorForm{wrong: float64(n+1) * (f.wrong*c.size + f.largest*m.wrong)}
		for _, set := range rowSets[n+1] {
			if set>>m.rows != 0 {
				break
			}
			x, sign := 0.0, 1.0
			for rest := set; rest != 0; rest &= rest - 1 {
				r := bits.TrailingZeros8(rest)
				x += sign * f.of[set&^(1<<r)] * c.entries[r]
				sign = -sign
			}
			if math.Abs(x) <= g.wrong {
				return false
			}
			g.of[set] = x
			g.largest = max(g.largest, math.Abs(x))
		}
		if !m.extensionsAreNonzero(&g, n+1, i+1) {
			return false
		}
	}
	return true
}

// lastAreNonzero is extensionsAreNonzero for minors of all rows, which have one more
// column than the form.
func (m *minors) lastAreNonzero(f *minorForm, from int) bool {
	var cofactors [maxMinorRows]float64
	all, sign := uint8(1)<<m.rows-1, 1.0
	for r := range m.rows {
		cofactors[r] = sign * f.of[all&^(1<<r)]
		sign = -sign
	}
	wrong, byEntry := float64(m.rows)*f.wrong, float64(m.rows)*f.largest*m.wrong
	for i := from; i < len(m.columns); i++ {
		c := &m.columns[i]
		x := cofactors[0]*c.entries[0] + cofactors[1]*c.entries[1] + cofactors[2]*c.entries[2] +
			cofactors[3]*c.entries[3]
		if math.Abs(x) <= wrong*c.size+byEntry {
			return false
		}
	}
	return true
}
