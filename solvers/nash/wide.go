package nash

import (
	"math"
	"math/big"
	"math/bits"
	"sync"
)

// A wide is an integer of a few words, in two's complement with the least first.
// Determinants of a game's payoffs are bounded, so that a number of words can be
// chosen for all that a pair of supports needs, with one to spare: this is what
// most equilibria are decided with, as it is many times as fast as math/big.
type wide []uint64

// mostWide is how many words a wide may have.
const mostWide = 9

// wideWords returns how many words determinants of k strategies need, with one to
// spare, or 0 where these are too many: by Hadamard, one of entries from 0 to M is
// (k+1)^((k+1)/2) M^k / 2^k at most.
func (p positive) wideWords(k int) int {
	if p.small == nil {
		return 0
	}
	n := float64(k)
	need := n*math.Log2(float64(p.largest)) + (n+1)/2*math.Log2(n+1) - n
	words := int(need+3)/64 + 2 // 3 for the sign and for what logarithms are rounded by
	if words > mostWide {
		return 0
	}
	return words
}

// setProduct makes z the product x y modulo 2 to the number of its bits.
func (z wide) setProduct(x, y wide) {
	clear(z)
	for i, a := range x {
		if a != 0 {
			z[i:].addProduct(y[:len(y)-i], a)
		}
	}
}

// addProduct adds x times a number.
func (z wide) addProduct(x wide, by uint64) {
	carry := uint64(0)
	for i, a := range x {
		high, low := bits.Mul64(a, by)
		low, c := bits.Add64(low, z[i], 0)
		high += c
		z[i], c = bits.Add64(low, carry, 0)
		carry = high + c
	}
}

func (z wide) sub(x wide) {
	borrow := uint64(0)
	for i, a := range x {
		z[i], borrow = bits.Sub64(z[i], a, borrow)
	}
}

func (z wide) negate() {
	carry := uint64(1)
	for i, a := range z {
		z[i], carry = bits.Add64(^a, 0, carry)
	}
}

func (z wide) sign() int {
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

// cmp compares numbers that are not negative.
func (z wide) cmp(x wide) int {
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

// shiftRight divides by 2^n, n < 64. The upper n bits are those of a sign.
func (z wide) shiftRight(n int) {
	if n == 0 {
		return
	}
	last := len(z) - 1
	for i := range last {
		z[i] = z[i]>>n | z[i+1]<<(64-n)
	}
	z[last] = uint64(int64(z[last]) >> n)
}

// A wideSolver has the memory to decide about a pair of supports.
type wideSolver struct {
	words  int
	m      []uint64             // the matrix, each of k rows with a 1 behind it
	memory [8 * mostWide]uint64 // of other numbers
	used   int

	mixture wideMixture
}

var wideSolvers = sync.Pool{New: func() any { return new(wideSolver) }}

// number returns a place for a wide.
func (s *wideSolver) number() wide {
	w := s.memory[s.used : s.used+s.words : s.used+s.words]
	s.used += s.words
	return w
}

// A wideMixture is a point of a polytope: probabilities are nums / sum.
type wideMixture struct {
	nums     []wide
	sum, det wide // det is positive, as what it solves is multiplied by its sign
	detSign  int
}

// solve is positive.solve in words. It returns false where it would have to divide
// by a power of 2 that does not fit in the word to spare.
func (s *wideSolver) solve(p positive, rows, cols uint64, x *wideMixture) (solved, singular bool) {
	k, w := bits.OnesCount64(rows), s.words
	if need := k * (k + 1) * w; cap(s.m) < need {
		s.m = make([]uint64, need)
	} else {
		s.m = s.m[:need]
		clear(s.m)
	}
	at := func(i, j int) wide { return s.m[(i*(k+1)+j)*w:][:w:w] }
	i := 0
	for set := rows; set != 0; set &= set - 1 {
		row, j := p.small[bits.TrailingZeros64(set)*p.cols:], 0
		for other := cols; other != 0; other &= other - 1 {
			at(i, j)[0] = row[bits.TrailingZeros64(other)]
			j++
		}
		at(i, k)[0] = 1
		i++
	}
	s.used = 0
	inverse, product, t, before, u := s.number(), s.number(), s.number(), s.number(), s.number()
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
				if w == 3 { // as for most supports of three to six
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
				// What was shifted in at the top is in the word to spare.
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
	x.detSign = before.sign()
	x.det = before
	x.nums = x.nums[:0]
	for i := range k {
		x.nums = append(x.nums, at(i, k))
		if negative != (x.detSign < 0) {
			x.nums[i].negate()
		}
	}
	if x.detSign < 0 {
		before.negate()
	}
	return true, false
}

// eliminate3 makes x the quotient of x pivot - f t by a number of which the inverse
// is given, and what it was shifted by: for three words.
func eliminate3(x, pivot, f, t, inverse wide, shift int) {
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
	x[0], x[1], x[2] = a0, a1, uint64(int64(a1)>>63) // with the sign in the word to spare
}

func product3(a0, a1, a2, b0, b1, b2 uint64) (z0, z1, z2 uint64) {
	h0, z0 := bits.Mul64(a0, b0)
	h1, l1 := bits.Mul64(a0, b1)
	h2, l2 := bits.Mul64(a1, b0)
	z1, c1 := bits.Add64(h0, l1, 0)
	z1, c2 := bits.Add64(z1, l2, 0)
	return z0, z1, a0*b2 + a1*b1 + a2*b0 + h1 + h2 + c1 + c2
}

// setInverse makes z the inverse of an odd number modulo 2 to the number of bits,
// by Newton's iteration, each step of which doubles how many bits are right.
func (z wide) setInverse(x, t, u wide) {
	low := x[0] // which is its own inverse modulo 8
	for range 5 {
		low *= 2 - x[0]*low
	}
	clear(z)
	z[0] = low
	for right := 1; right < len(z); right *= 2 {
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

// indifferent is positive.indifferent in words. The numbers are there until the
// solver is used again.
func (s *wideSolver) indifferent(p positive, rows, cols uint64, x *wideMixture) (how standing, done bool) {
	solved, singular := s.solve(p, rows, cols, x)
	if !solved || singular {
		return isSingular, solved
	}
	tied := false
	x.sum = s.number()
	clear(x.sum)
	for _, n := range x.nums {
		switch n.sign() {
		case -1:
			return isNone, true
		case 0:
			tied = true
		}
		x.sum.addProduct(n, 1)
	}
	total := s.number()
	for r := range p.rows {
		if rows>>r&1 != 0 {
			continue
		}
		clear(total)
		i := 0
		for set := cols; set != 0; set &= set - 1 {
			total.addProduct(x.nums[i], p.small[r*p.cols+bits.TrailingZeros64(set)])
			i++
		}
		switch total.cmp(x.det) {
		case 1:
			return isNone, true
		case 0:
			tied = true
		}
	}
	if tied {
		return isTied, true
	}
	return isEquilibrium, true
}

// wideCandidate is candidate in words, and says whether it could decide.
func (p *prover) wideCandidate(rows, cols uint64, bare bool) (e *Equilibrium, how standing, done bool) {
	k := bits.OnesCount64(rows)
	words := max(p.a.wideWords(k), p.bt.wideWords(k))
	if min(p.a.wideWords(k), p.bt.wideWords(k)) == 0 {
		return nil, 0, false
	}
	ys, xs := wideSolvers.Get().(*wideSolver), wideSolvers.Get().(*wideSolver)
	defer wideSolvers.Put(ys)
	defer wideSolvers.Put(xs)
	ys.words, xs.words = words, words
	y, x := &ys.mixture, &xs.mixture
	if how, done = ys.indifferent(p.a, rows, cols, y); !done || how == isNone {
		return nil, how, done
	}
	other, done := xs.indifferent(p.bt, cols, rows, x)
	switch {
	case !done || other == isNone:
		return nil, other, done
	case how == isSingular || other == isSingular:
		return nil, isSingular, true
	case how == isTied || other == isTied:
		return nil, isTied, true
	}
	if bare {
		return &Equilibrium{rows: rows, cols: cols, Index: indexOf(k, x.detSign, y.detSign)}, isEquilibrium, true
	}
	f := newFractions(2*k+2, words)
	e = &Equilibrium{X: make([]*big.Rat, p.game.Rows), Y: make([]*big.Rat, p.game.Cols), Index: indexOf(k, x.detSign, y.detSign)}
	f.probabilities(e.X, rows, x)
	f.probabilities(e.Y, cols, y)
	e.Payoffs = [2]*big.Rat{f.payoff(p.a, y), f.payoff(p.bt, x)}
	return e, isEquilibrium, true
}
