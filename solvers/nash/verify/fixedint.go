package verify

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"sync"
)

// A fixedInt is an integer of a fixed number of words, in two's complement, least
// significant word first. Determinants of a game's payoffs are bounded, so that a
// number of words can be chosen for a pair of supports, with one to spare. Most
// candidates are decided this way: it is many times as fast as math/big.
type fixedInt []uint64

// maxWords is the largest number of words of a fixedInt.
const maxWords = 9

// wordsFor returns how many words determinants of k strategies need, with one to
// spare, or 0 if that is more than maxWords. By Hadamard, a determinant of entries
// in [0, M] is at most (k+1)^((k+1)/2) M^k / 2^k.
func (p Matrix) wordsFor(k int) int {
	if p.small == nil {
		return 0
	}
	n := float64(k)
	need := n*math.Log2(float64(p.largest)) + (n+1)/2*math.Log2(n+1) - n
	words := int(need+3)/64 + 2 // 3: the sign, and rounding of the logarithms
	if words > maxWords {
		return 0
	}
	return words
}

// setProduct sets z to x y, modulo 2 to the number of its bits.
func (z fixedInt) setProduct(x, y fixedInt) {
	clear(z)
	for i, a := range x {
		if a != 0 {
			z[i:].addProduct(y[:len(y)-i], a)
		}
	}
}

// addProduct adds x times by.
func (z fixedInt) addProduct(x fixedInt, by uint64) {
	carry := uint64(0)
	for i, a := range x {
		high, low := bits.Mul64(a, by)
		low, c := bits.Add64(low, z[i], 0)
		high += c
		z[i], c = bits.Add64(low, carry, 0)
		carry = high + c
	}
}

func (z fixedInt) sub(x fixedInt) {
	borrow := uint64(0)
	for i, a := range x {
		z[i], borrow = bits.Sub64(z[i], a, borrow)
	}
}

func (z fixedInt) negate() {
	carry := uint64(1)
	for i, a := range z {
		z[i], carry = bits.Add64(^a, 0, carry)
	}
}

func (z fixedInt) sign() int {
	if int64(z[len(z)-1]) < 0 {
		return -1
	}
	for _, a := range z {
		if a != 0 {
			return 1
		}
	}
	return 0
}

// cmp compares nonnegative numbers.
func (z fixedInt) cmp(x fixedInt) int {
	for i := len(z) - 1; i >= 0; i-- {
		if z[i] != x[i] {
			if z[i] < x[i] {
				return -1
			}
			return 1
		}
	}
	return 0
}

// big returns a number that is not negative. Words of package big have 32 bits on some machines.
func (z fixedInt) big() *big.Int {
	text := make([]byte, 0, 8*len(z))
	for _, x := range slices.Backward(z) {
		text = binary.BigEndian.AppendUint64(text, x)
	}
	return new(big.Int).SetBytes(text)
}

// shiftRight divides by 2^n, n < 64, rounding down.
func (z fixedInt) shiftRight(n int) {
	if n == 0 {
		return
	}
	last := len(z) - 1
	for i := range last {
		z[i] = z[i]>>n | z[i+1]<<(64-n)
	}
	z[last] = uint64(int64(z[last]) >> n)
}

// A fixedSolver has the memory to decide about one player's side of a candidate.
type fixedSolver struct {
	words  int
	m      []uint64             // the matrix: k rows of k entries and a 1
	memory [8 * maxWords]uint64 // memory of other numbers, see alloc
	used   int

	// The mixture that was found: probabilities are nums / sum.
	nums     []fixedInt
	sum, det fixedInt // det is made positive, and nums with it
	detSign  int
}

var fixedSolvers = sync.Pool{New: func() any { return new(fixedSolver) }}

// alloc returns memory for a number.
func (s *fixedSolver) alloc() fixedInt {
	w := s.memory[s.used : s.used+s.words : s.used+s.words]
	s.used += s.words
	return w
}

// solve is Matrix.solve in a fixed number of words. It cannot solve a matrix with a
// pivot divisible by 2^64: the division needs more than the spare word.
func (s *fixedSolver) solve(p Matrix, rows, cols uint64) (solved, singular bool) {
	k, w := bits.OnesCount64(rows), s.words
	if need := k * (k + 1) * w; cap(s.m) < need {
		s.m = make([]uint64, need)
	} else {
		s.m = s.m[:need]
		clear(s.m)
	}
	at := func(i, j int) fixedInt { return s.m[(i*(k+1)+j)*w:][:w:w] }
	i := 0
	for set := rows; set != 0; set &= set - 1 {
		row, j := p.small[bits.TrailingZeros64(set)*p.Cols:], 0
		for other := cols; other != 0; other &= other - 1 {
			at(i, j)[0] = row[bits.TrailingZeros64(other)]
			j++
		}
		at(i, k)[0] = 1
		i++
	}
	s.used = 0
	inverse, product, t, before, u := s.alloc(), s.alloc(), s.alloc(), s.alloc(), s.alloc()
	clear(before)
	before[0] = 1
	clear(inverse)
	inverse[0] = 1
	shift, negative := 0, false
	for c := range k {
		r := c
		for r < k && at(r, c).sign() == 0 {
			r++
		}
		if r == k {
			return true, true
		}
		if r != c {
			a, b := s.m[r*(k+1)*w:][:(k+1)*w], s.m[c*(k+1)*w:][:(k+1)*w]
			for j := range a {
				a[j], b[j] = b[j], a[j]
			}
			negative = !negative
		}
		pivot := at(c, c)
		for i := range k {
			if i == c {
				continue
			}
			f := at(i, c)
			for j := c + 1; j <= k; j++ {
				x := at(i, j)
				if w == 3 { // the usual number for supports of three to six
					eliminate3(x, pivot, f, at(c, j), inverse, shift)
					continue
				}
				product.setProduct(x, pivot)
				t.setProduct(f, at(c, j))
				product.sub(t)
				if c == 0 {
					copy(x, product)
					continue
				}
				product.shiftRight(shift)
				x.setProduct(product, inverse)
				// What was shifted in at the top is in the spare word.
				x[w-1] = uint64(int64(x[w-2]) >> 63)
			}
		}
		copy(before, pivot)
		if shift = bits.TrailingZeros64(before[0]); before[0] == 0 {
			return false, false
		}
		copy(t, before)
		t.shiftRight(shift)
		inverse.setInverse(t, product, u)
	}
	if negative {
		before.negate()
	}
	s.detSign = before.sign()
	s.det = before
	s.nums = s.nums[:0]
	for i := range k {
		s.nums = append(s.nums, at(i, k))
		if negative != (s.detSign < 0) {
			s.nums[i].negate()
		}
	}
	if s.detSign < 0 {
		before.negate()
	}
	return true, false
}

// eliminate3 sets x to (x pivot - f t) / d for three words. The divisor is given by
// the inverse of its odd part and by the power of 2.
func eliminate3(x, pivot, f, t, inverse fixedInt, shift int) {
	_, _, _, _, _ = x[2], pivot[2], f[2], t[2], inverse[2]
	a0, a1, a2 := product3(x[0], x[1], x[2], pivot[0], pivot[1], pivot[2])
	b0, b1, b2 := product3(f[0], f[1], f[2], t[0], t[1], t[2])
	var borrow uint64
	a0, borrow = bits.Sub64(a0, b0, 0)
	a1, borrow = bits.Sub64(a1, b1, borrow)
	a2 -= b2 + borrow
	if shift != 0 {
		a0, a1, a2 = a0>>shift|a1<<(64-shift), a1>>shift|a2<<(64-shift), a2>>shift
	}
	a0, a1, _ = product3(a0, a1, a2, inverse[0], inverse[1], inverse[2])
	x[0], x[1], x[2] = a0, a1, uint64(int64(a1)>>63) // the sign fills the spare word
}

func product3(a0, a1, a2, b0, b1, b2 uint64) (z0, z1, z2 uint64) {
	h0, z0 := bits.Mul64(a0, b0)
	h1, l1 := bits.Mul64(a0, b1)
	h2, l2 := bits.Mul64(a1, b0)
	z1, c1 := bits.Add64(h0, l1, 0)
	z1, c2 := bits.Add64(z1, l2, 0)
	return z0, z1, a0*b2 + a1*b1 + a2*b0 + h1 + h2 + c1 + c2
}

// setInverse sets z to the inverse of an odd number modulo 2 to the number of bits,
// by Newton's iteration. Each step doubles the number of correct bits.
func (z fixedInt) setInverse(x, t, u fixedInt) {
	low := x[0] // its own inverse modulo 8
	for range 5 {
		low *= 2 - x[0]*low
	}
	clear(z)
	z[0] = low
	for correct := 1; correct < len(z); correct *= 2 {
		t.setProduct(x, z)
		t.negate()
		carry := uint64(0)
		t[0], carry = bits.Add64(t[0], 2, 0)
		for i := 1; i < len(t); i++ {
			t[i], carry = bits.Add64(t[i], 0, carry)
		}
		u.setProduct(z, t)
		copy(z, u)
	}
}

// indifferent is [Matrix.indifferent] in a fixed number of words. It reports whether it could decide.
func (s *fixedSolver) indifferent(p Matrix, rows, cols uint64) (_ mixture, _ Verdict, decided bool) {
	solved, singular := s.solve(p, rows, cols)
	if !solved || singular {
		return mixture{}, Singular, solved
	}
	tied := false
	s.sum = s.alloc()
	clear(s.sum)
	for _, n := range s.nums {
		switch n.sign() {
		case -1:
			return mixture{}, Refuted, true
		case 0:
			tied = true
		}
		s.sum.addProduct(n, 1)
	}
	total := s.alloc()
	for r := range p.Rows {
		if rows>>r&1 != 0 {
			continue
		}
		clear(total)
		i := 0
		for set := cols; set != 0; set &= set - 1 {
			total.addProduct(s.nums[i], p.small[r*p.Cols+bits.TrailingZeros64(set)])
			i++
		}
		switch total.cmp(s.det) {
		case 1:
			return mixture{}, Refuted, true
		case 0:
			tied = true
		}
	}
	if tied {
		return mixture{}, Degenerate, true
	}
	out := mixture{cols, make([]*big.Int, len(s.nums)), s.sum.big(), s.det.big(), s.detSign}
	for i, n := range s.nums {
		out.num[i] = n.big()
	}
	return out, Proved, true
}
