package nash

import (
	"math"
	"math/bits"
	"sync"
)

// unit is twice what rounding may change of a number.
const unit = 0x1p-52

// mostCertain is how many strategies of a player are certified in floats.
const mostCertain = 32

// A certifier has the memory to prove equilibria in floats.
type certifier struct {
	m, lu, inverse [mostCertain * mostCertain]float64
	z              [mostCertain]float64
	from           [mostCertain]uint8 // the row that elimination has here
}

var certifiers = sync.Pool{New: func() any { return new(certifier) }}

// certain proves in floats that exactly one equilibrium has these supports and that
// it is regular. It returns nil where that is not certain.
func (p *prover) certain(rows, cols uint64) *Equilibrium {
	c := certifiers.Get().(*certifier)
	defer certifiers.Put(c)
	signA, ok := c.certify(p.a, rows, cols)
	if !ok {
		return nil
	}
	signB, ok := c.certify(p.bt, cols, rows)
	if !ok {
		return nil
	}
	return &Equilibrium{rows: rows, cols: cols, Index: indexOf(bits.OnesCount64(rows), signB, signA)}
}

// certify proves that the mixture over cols by which p's player is indifferent
// between rows has all of cols, that nothing else wins as much, and that there is one
// only; it returns the sign of the determinant. It is a proof in floats, with bounds
// of all their errors (Rump 2010): false says nothing.
//
// With C an approximate inverse of the matrix M, and |I-CM| <= b < 1, M is regular,
// and what z is wrong by is |C(1-Mz)| / (1-b) at most. Elimination has the product of
// its factors within a bound of M (Higham, theorem 9.3), and where that times |C| is
// below 1-b there is no singular matrix between them: the determinants have one sign.
func (c *certifier) certify(p positive, rows, cols uint64) (detSign int, ok bool) {
	k := bits.OnesCount64(rows)
	if k > mostCertain || p.small == nil || p.largest >= 1<<53 {
		return 0, false
	}
	var js [mostCertain]uint8
	for set, n := cols, 0; set != 0; set &= set - 1 {
		js[n] = uint8(bits.TrailingZeros64(set))
		n++
	}
	m := c.m[:k*k]
	r := 0
	for set := rows; set != 0; set &= set - 1 {
		row := p.small[bits.TrailingZeros64(set)*p.cols:]
		for n, j := range js[:k] {
			m[r*k+n] = float64(int64(row[j]))
		}
		r++
	}
	detSign, size, ok := c.invert(k)
	if !ok {
		return 0, false
	}
	// Twice the operations of a sum of products is enough for what bounds are wrong by.
	e := unit * float64(2*k+8)
	inverse, z := c.inverse[:k*k], c.z[:k]
	largest, b := 0.0, 0.0
	for r := range k {
		sum, length := 0.0, 0.0
		for _, x := range inverse[r*k : r*k+k] {
			sum += x
			length += math.Abs(x)
		}
		z[r] = sum
		largest = max(largest, length)
		off := 0.0
		for j := range k {
			x, bound := 0.0, 1.0
			for i, y := range inverse[r*k : r*k+k] {
				product := y * m[i*k+j]
				x += product
				bound += math.Abs(product)
			}
			if j == r {
				x--
			}
			off += math.Abs(x) + e*bound
		}
		b = max(b, off)
	}
	if !(b+e*size*largest < 0.5) {
		return 0, false
	}
	// How wrong z is, at most: as b is below 1/2, twice |C| |1-Mz|, and bounds are rounded.
	residual := 0.0
	for r := range k {
		x, bound := -1.0, 1.0
		for j, y := range m[r*k : r*k+k] {
			product := y * z[j]
			x += product
			bound += math.Abs(product)
		}
		residual = max(residual, math.Abs(x)+e*bound)
	}
	wrong := 3 * largest * residual
	for _, x := range z {
		if !(x > wrong) {
			return 0, false
		}
	}
	for set := ^rows & (^uint64(0) >> (64 - p.rows)); set != 0; set &= set - 1 {
		row := p.small[bits.TrailingZeros64(set)*p.cols:]
		x, sum := 0.0, 0.0
		for n, j := range js[:k] {
			y := float64(int64(row[j]))
			x += y * z[n]
			sum += y
		}
		if !(x*(1+e)+sum*wrong*(1+e) < 1-e) {
			return 0, false
		}
	}
	return detSign, true
}

// invert makes the inverse of c.m by elimination, the sign of the determinant of its
// factors, and a bound of the sum of the absolute values of their product.
func (c *certifier) invert(k int) (detSign int, size float64, ok bool) {
	lu := c.lu[:k*k]
	copy(lu, c.m[:k*k])
	detSign = 1
	for i := range k {
		c.from[i] = uint8(i)
	}
	for j := range k {
		best := j
		for i := j + 1; i < k; i++ {
			if math.Abs(lu[i*k+j]) > math.Abs(lu[best*k+j]) {
				best = i
			}
		}
		pivot := lu[best*k+j]
		if pivot == 0 {
			return 0, 0, false
		}
		if best != j {
			a, b := lu[best*k:best*k+k], lu[j*k:j*k+k]
			for i := range a {
				a[i], b[i] = b[i], a[i]
			}
			c.from[best], c.from[j] = c.from[j], c.from[best]
			detSign = -detSign
		}
		if pivot < 0 {
			detSign = -detSign
		}
		for i := j + 1; i < k; i++ {
			f := lu[i*k+j] / pivot
			lu[i*k+j] = f
			for n := j + 1; n < k; n++ {
				lu[i*k+n] -= f * lu[j*k+n]
			}
		}
	}
	return detSign, c.substitute(k), true
}

// substitute solves for the columns of the inverse with the factors, and bounds the
// product of these: factors below the diagonal are 1 at most.
func (c *certifier) substitute(k int) (size float64) {
	lu := c.lu[:k*k]
	var x [mostCertain]float64
	for n := range k {
		// Column n of the rows that were exchanged is unit number from[n].
		for i := range k {
			x[i] = 0
			if i == n {
				x[i] = 1
			}
			for j := n; j < i; j++ {
				x[i] -= lu[i*k+j] * x[j]
			}
		}
		for i := k - 1; i >= 0; i-- {
			sum := x[i]
			for j := i + 1; j < k; j++ {
				sum -= lu[i*k+j] * x[j]
			}
			x[i] = sum / lu[i*k+i]
			c.inverse[i*k+int(c.from[n])] = x[i]
			if i <= n {
				size += math.Abs(lu[i*k+n])
			}
		}
	}
	return size
}
