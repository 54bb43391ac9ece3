package verify

import (
	"math"
	"math/bits"
	"sync"
)

// unit is twice the relative error of rounding.
const unit = 0x1p-52

// maxCertified is the largest support that is certified in floats.
const maxCertified = 32

// A certifier has the memory to certify one player's side of a candidate.
type certifier struct {
	m, lu, inverse [maxCertified * maxCertified]float64
	z              [maxCertified]float64
	from           [maxCertified]uint8 // row of m at each position in lu
}

var certifiers = sync.Pool{New: func() any { return new(certifier) }}

// certify proves in floats that exactly one equilibrium has these supports and that
// it is regular. It returns nil where floats do not suffice for a proof.
func (v *Verifier) certify(rows, cols uint64) *Equilibrium {
	c := certifiers.Get().(*certifier)
	defer certifiers.Put(c)
	signA, ok := c.mixture(v.A, rows, cols)
	if !ok {
		return nil
	}
	signB, ok := c.mixture(v.BT, cols, rows)
	if !ok {
		return nil
	}
	return &Equilibrium{rows: rows, cols: cols, Index: indexOf(bits.OnesCount64(rows), signB, signA)}
}

// mixture proves that exactly one mixture over cols makes p's player indifferent
// between rows, that it mixes all of cols, and that any other row wins less. It
// returns the sign of the determinant. The proof bounds all rounding errors (Rump
// 2010); where it fails, ok is false and nothing is known.
//
// Let M be the matrix, C an approximate inverse and |I-CM| <= b < 1. Then M is
// regular, and the error of z is at most |C(1-Mz)| / (1-b). The product of the factors
// is within a bound of M (Higham, theorem 9.3). If that bound times |C| is below 1-b,
// no matrix between the two is singular, so that their determinants have one sign.
func (c *certifier) mixture(p Matrix, rows, cols uint64) (detSign int, ok bool) {
	k := bits.OnesCount64(rows)
	if k > maxCertified || p.small == nil || p.largest >= 1<<53 {
		return 0, false
	}
	var js [maxCertified]uint8
	for set, n := cols, 0; set != 0; set &= set - 1 {
		js[n] = uint8(bits.TrailingZeros64(set))
		n++
	}
	m := c.m[:k*k]
	r := 0
	for set := rows; set != 0; set &= set - 1 {
		row := p.small[bits.TrailingZeros64(set)*p.Cols:]
		for n, j := range js[:k] {
			m[r*k+n] = float64(int64(row[j]))
		}
		r++
	}
	detSign, size, ok := c.invert(k)
	if !ok {
		return 0, false
	}
	// Twice the operations of a sum of products also covers the errors of the bounds.
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
	// As b < 1/2, the error of z is at most 2 |C| |1-Mz|; 3 covers rounding of the bounds.
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
	for set := ^rows & (^uint64(0) >> (64 - p.Rows)); set != 0; set &= set - 1 {
		row := p.small[bits.TrailingZeros64(set)*p.Cols:]
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

// invert computes the inverse of c.m by elimination. It returns the sign of the
// determinant of the factors and a bound of the sum of absolute values of their
// product.
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

// substitute solves for the columns of the inverse, and bounds the product of the
// factors: those below the diagonal are at most 1.
func (c *certifier) substitute(k int) (size float64) {
	lu := c.lu[:k*k]
	var x [maxCertified]float64
	for n := range k {
		// Position n holds row from[n] of m.
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
