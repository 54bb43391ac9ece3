package verify

import (
	"math/big"
	"math/bits"
)

// zero is the probability of all strategies outside of a support.
var zero = new(big.Rat)

// fractions allocates the fractions of an equilibrium together.
type fractions struct {
	rats  []big.Rat
	words []big.Word
}

func newFractions(n, words int) *fractions {
	return &fractions{make([]big.Rat, 0, n), make([]big.Word, 0, 2*n*(words-1))}
}

// probabilities fills in a mixture's probabilities of all strategies.
func (f *fractions) probabilities(to []*big.Rat, set uint64, x *fixedMixture) {
	i := 0
	for s := range to {
		to[s] = zero
		if set>>s&1 != 0 {
			to[s] = f.quotient(x.nums[i], x.sum)
			i++
		}
	}
}

// payoff returns the payoff of p's player, before scaling and shifting.
func (f *fractions) payoff(p Matrix, x *fixedMixture) *big.Rat {
	var memory [3 * maxWords]uint64
	w := len(x.sum)
	value, by, t := fixedInt(memory[:w]), fixedInt(memory[w:2*w]), fixedInt(memory[2*w:3*w])
	for i := range by {
		by[i] = uint64(p.shift >> 63)
	}
	by[0] = uint64(p.shift)
	value.setProduct(x.sum, by) // entries are payoffs - shift + 1
	copy(t, x.det)
	t.sub(x.sum)
	value.addProduct(t, 1)
	if value.sign() < 0 {
		value.negate()
		r := f.quotient(value, x.sum)
		return r.Neg(r)
	}
	return f.quotient(value, x.sum)
}

// quotient returns n / d in lowest terms, 0 <= n, 0 < d.
func (f *fractions) quotient(n, d fixedInt) *big.Rat {
	num, denom := f.integer(n), f.integer(d)
	f.rats = append(f.rats, big.Rat{})
	r := &f.rats[len(f.rats)-1]
	if len(num) > 2 || len(denom) > 2 || !reduce(num, denom) {
		return r.SetFrac(new(big.Int).SetBits(num), new(big.Int).SetBits(denom))
	}
	*r = aThird
	r.Num().SetBits(num)
	r.Denom().SetBits(denom)
	return r
}

// aThird is copied to make a fraction whose denominator can be set, which that of
// the zero value cannot. Both integers of a copy are replaced at once.
var aThird = *big.NewRat(1, 3)

// integer returns the words of a nonnegative number.
func (f *fractions) integer(x fixedInt) []big.Word {
	from := len(f.words)
	for _, word := range x {
		f.words = append(f.words, big.Word(word))
	}
	n := len(f.words)
	for n > from && f.words[n-1] == 0 {
		n--
	}
	f.words = f.words[:n]
	return f.words[from:n:n]
}

// reduce divides numbers of at most two words by their greatest common divisor. It
// returns false if that has two words too.
func reduce(n, d []big.Word) bool {
	common := gcd(double(n), double(d))
	if common[1] != 0 {
		return false
	}
	if common[0] == 1 {
		return true
	}
	for _, x := range [][]big.Word{n, d} {
		rest := uint64(0)
		for i := len(x) - 1; i >= 0; i-- {
			var q uint64
			q, rest = bits.Div64(rest, uint64(x[i]), common[0])
			x[i] = big.Word(q)
		}
	}
	return true
}

func double(x []big.Word) (d [2]uint64) {
	for i, word := range x {
		d[i] = uint64(word)
	}
	return d
}

// gcd returns the greatest common divisor of two-word numbers, b > 0, by the binary
// algorithm (Stein 1967).
func gcd(a, b [2]uint64) [2]uint64 {
	if a == [2]uint64{} {
		return b
	}
	shift := min(zeros(a), zeros(b))
	a, b = shifted(a, zeros(a)), shifted(b, zeros(b))
	for a[1]|b[1] != 0 {
		// b becomes the smaller one and a the difference, without a branch.
		low, borrow := bits.Sub64(a[0], b[0], 0)
		high, borrow := bits.Sub64(a[1], b[1], borrow)
		negative := -borrow
		var carry uint64
		b[0], carry = bits.Add64(b[0], low&negative, 0)
		b[1] += high&negative + carry
		a[0], carry = bits.Sub64(low^negative, negative, 0)
		a[1] = (high ^ negative) - negative - carry
		if a == [2]uint64{} {
			break
		}
		a = shifted(a, zeros(a))
	}
	if a[1]|b[1] == 0 {
		x, y := a[0], b[0]
		for x != 0 {
			d, borrow := bits.Sub64(x, y, 0)
			negative := -borrow
			y += d & negative
			x = (d ^ negative) - negative
			x >>= bits.TrailingZeros64(x) & 63
		}
		b[0] = y
	}
	if shift >= 64 {
		return [2]uint64{0, b[0] << (shift - 64)}
	}
	return [2]uint64{b[0] << shift, b[1]<<shift | b[0]>>(64-shift)}
}

func zeros(a [2]uint64) int {
	if a[0] == 0 {
		return 64 + bits.TrailingZeros64(a[1])
	}
	return bits.TrailingZeros64(a[0])
}

func shifted(a [2]uint64, n int) [2]uint64 {
	if n >= 64 {
		return [2]uint64{a[1] >> (n - 64), 0}
	}
	return [2]uint64{a[0]>>n | a[1]<<(64-n), a[1] >> n}
}
