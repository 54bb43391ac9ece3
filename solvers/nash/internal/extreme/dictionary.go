package extreme

import (
	"math"
	"math/big"
	"math/bits"
	"slices"

	"gamebots/solvers/nash/labels"
	"gamebots/solvers/nash/verify"
)

// A dictionary is a tableau in integers over a common denominator. Divisions of
// pivots leave no remainder (Edmonds, Bareiss).
type dictionary struct {
	rowVar, colVar []uint8
	a              [][]*big.Int // rows: the constant, then the entries
	denominator    *big.Int     // positive
	bound          []float64    // largest value of each variable
}

// newDictionary makes the dictionary of {z >= 0, m z <= 1}. The variables z are
// numbered from columns on, and the rows' slacks from rows on.
func newDictionary(m verify.Matrix, columns, rows int) *dictionary {
	d := &dictionary{denominator: big.NewInt(1), bound: make([]float64, m.Rows+m.Cols)}
	for c := range m.Cols {
		d.colVar = append(d.colVar, uint8(columns+c))
		largest := new(big.Int)
		for r := range m.Rows {
			if x := m.Entries()[r*m.Cols+c]; x.Cmp(largest) > 0 {
				largest = x
			}
		}
		d.bound[columns+c], _ = new(big.Rat).SetFrac(big.NewInt(1), largest).Float64()
	}
	for r := range m.Rows {
		d.rowVar = append(d.rowVar, uint8(rows+r))
		d.bound[rows+r] = 1
		d.a = append(d.a, append([]*big.Int{big.NewInt(1)}, m.Entries()[r*m.Cols:][:m.Cols]...))
	}
	return d
}

// clone returns a copy. Integers are shared, as they are never changed in place.
func (d *dictionary) clone() *dictionary {
	c := &dictionary{slices.Clone(d.rowVar), slices.Clone(d.colVar), make([][]*big.Int, len(d.a)), d.denominator,
		d.bound}
	for r, row := range d.a {
		c.a[r] = slices.Clone(row)
	}
	return c
}

// pivot exchanges the variables of a row and a column whose entry is not 0.
func (d *dictionary) pivot(r, c int) {
	p := d.a[r][1+c]
	sign := p.Sign()
	magnitude := new(big.Int).Abs(p)
	product, t, rest := new(big.Int), new(big.Int), new(big.Int)
	for i, row := range d.a {
		if i == r {
			continue
		}
		f := row[1+c]
		for j, x := range row {
			if j == 1+c {
				continue
			}
			product.Mul(x, magnitude)
			if f.Sign() != 0 {
				t.Mul(f, d.a[r][j])
				if sign > 0 {
					product.Sub(product, t)
				} else {
					product.Add(product, t)
				}
			}
			row[j], _ = new(big.Int).QuoRem(product, d.denominator, rest)
		}
		if sign > 0 {
			f = new(big.Int).Neg(f)
		}
		row[1+c] = f
	}
	row := d.a[r]
	row[1+c] = d.denominator
	if sign < 0 {
		for j, x := range row {
			row[j] = new(big.Int).Neg(x)
		}
	}
	d.denominator = magnitude
	d.rowVar[r], d.colVar[c] = d.colVar[c], d.rowVar[r]
}

// forget removes a column, whose variable is 0 from now on.
func (d *dictionary) forget(c int) {
	d.colVar = slices.Delete(d.colVar, c, c+1)
	for r, row := range d.a {
		d.a[r] = slices.Delete(row, 1+c, 2+c)
	}
}

// drop removes a row, whose variable does not constrain the face.
func (d *dictionary) drop(r int) {
	d.rowVar = slices.Delete(d.rowVar, r, r+1)
	d.a = slices.Delete(d.a, r, r+1)
}

// leaving returns the row that leaves the basis as a column's variable enters: of
// those that reach 0 first row r, or else the one with the least variable (Bland's
// rule). It is -1 if no row does.
func (d *dictionary) leaving(c, r int) int {
	leave := -1
	left, right := new(big.Int), new(big.Int)
	for i, row := range d.a {
		if row[1+c].Sign() <= 0 {
			continue
		}
		if leave < 0 {
			leave = i
			continue
		}
		left.Mul(row[0], d.a[leave][1+c])
		right.Mul(d.a[leave][0], row[1+c])
		if by := left.Cmp(right); by < 0 || by == 0 && leave != r && (i == r || d.rowVar[i] < d.rowVar[leave]) {
			leave = i
		}
	}
	return leave
}

// margin exceeds the rounding error of sums of entries as floats.
const margin = 1e-9

// fixity returns the constant of a row over all that other variables can subtract.
// Above 1+margin the row's variable cannot be 0.
func (d *dictionary) fixity(r int) float64 {
	down := margin
	for c, x := range d.a[r][1:] {
		if x.Sign() > 0 {
			down += d.ratio(x) * d.bound[d.colVar[c]]
		}
	}
	return d.ratio(d.a[r][0]) / down
}

// entering returns the column that subtracts most from the variable of a row. After
// many pivots it is the one with the least variable (Bland's rule), so that the search
// ends. It is -1 if no column subtracts anything.
func (d *dictionary) entering(r, pivots int) int {
	enter, largest := -1, 0.0
	for c, v := range d.colVar {
		x := d.a[r][1+c]
		if x.Sign() <= 0 {
			continue
		}
		size := d.ratio(x) * d.bound[v]
		if enter < 0 || pivots < 4*len(d.colVar) && size > largest || pivots >= 4*len(d.colVar) && v < d.colVar[enter] {
			enter, largest = c, size
		}
	}
	return enter
}

// force narrows the face to where a variable is 0. It reports whether the face is not
// empty.
func (d *dictionary) force(v uint8) bool {
	if c := slices.Index(d.colVar, v); c >= 0 {
		d.forget(c)
		return true
	}
	for pivots := 0; ; pivots++ {
		r := slices.Index(d.rowVar, v)
		if r < 0 {
			return true // it is 0 already
		}
		if d.fixity(r) > 1+margin {
			return false
		}
		enter := d.entering(r, pivots)
		switch {
		case enter >= 0:
			leave := d.leaving(enter, r)
			d.pivot(leave, enter)
			if leave == r {
				d.forget(enter)
				return true
			}
		case d.a[r][0].Sign() > 0:
			return false
		default: // its minimum is 0, where all variables that increase it are 0
			for c := len(d.colVar) - 1; c >= 0; c-- {
				if d.a[r][1+c].Sign() != 0 {
					d.forget(c)
				}
			}
			d.drop(r)
			return true
		}
	}
}

// tighten removes the variables that are 0 on the whole face, so that as many columns
// are left as the face has dimensions.
func (d *dictionary) tighten() {
	for again := true; again; {
		again = false
		for _, v := range slices.Clone(d.colVar) {
			if slices.Contains(d.colVar, v) && !d.canGrow(v) {
				d.force(v)
				again = true
			}
		}
	}
}

// canGrow reports whether a variable is positive anywhere on the face. It maximises
// the variable by the simplex method with Bland's rule, up to the first step longer
// than 0.
func (d *dictionary) canGrow(v uint8) bool {
	for {
		enter := slices.Index(d.colVar, v)
		if enter >= 0 &&
			!slices.ContainsFunc(d.a,
				func(row []*big.Int) bool { return row[0].Sign() == 0 && row[1+enter].Sign() > 0 }) {
			return true // at once
		}
		if enter < 0 {
			r := slices.Index(d.rowVar, v)
			if d.a[r][0].Sign() > 0 {
				return true
			}
			for c, name := range d.colVar {
				if d.a[r][1+c].Sign() < 0 && (enter < 0 || name < d.colVar[enter]) {
					enter = c
				}
			}
			if enter < 0 {
				return false
			}
		}
		d.pivot(d.leaving(enter, -1), enter)
	}
}

// zeros returns which of n variables are 0 on the whole face.
func (d *dictionary) zeros(n int) (s labels.Set) {
	for l := range n {
		s.Add(uint8(l))
	}
	for _, v := range d.colVar {
		s.Remove(v)
	}
	for r, v := range d.rowVar {
		if slices.ContainsFunc(d.a[r], func(x *big.Int) bool { return x.Sign() != 0 }) {
			s.Remove(v)
		}
	}
	return s
}

// ratio returns an entry, divided by the denominator and rounded.
func (d *dictionary) ratio(x *big.Int) float64 {
	numerator, up := leading(x)
	denominator, down := leading(d.denominator)
	return math.Ldexp(numerator/denominator, up-down)
}

// leading returns the highest 64 bits of a number, rounded, and the number of bits
// below them.
func leading(x *big.Int) (float64, int) {
	words, below := x.Bits(), max(0, x.BitLen()-64)
	if len(words) == 0 {
		return 0, 0
	}
	at, shift := below/bits.UintSize, below%bits.UintSize
	high := uint64(words[at]) >> shift
	if shift > 0 {
		high |= uint64(words[at+1]) << (bits.UintSize - shift)
	}
	return float64(high) * float64(x.Sign()), below
}
