package sequence

import (
	"context"
	"math/big"
	"math/bits"
)

// A term is an entry of a row, which is not 0.
type term struct {
	Col   int
	Value *big.Int
}

// primes are tried until a matrix is regular modulo one. They have 32 bits.
var primes = []uint64{4294967291, 4294967279, 4294967231}

// A field has the numbers modulo a prime.
type field struct {
	prime, inverse uint64 // inverse is 2^64 divided by the prime
	big            *big.Int
}

func newField(prime uint64) field {
	return field{prime, ^uint64(0) / prime, new(big.Int).SetUint64(prime)}
}

// reduce returns x modulo the prime.
func (f field) reduce(x uint64) uint64 {
	quotient, _ := bits.Mul64(x, f.inverse) // may be too small, by 2 at most
	x -= quotient * f.prime
	for x >= f.prime {
		x -= f.prime
	}
	return x
}

// invert returns 1/x, by Fermat's theorem.
func (f field) invert(x uint64) uint64 {
	y := uint64(1)
	for e := f.prime - 2; e > 0; e >>= 1 {
		if e&1 == 1 {
			y = f.reduce(y * x)
		}
		x = f.reduce(x * x)
	}
	return y
}

// of returns a number modulo the prime; t is scratch.
func (f field) of(x, t *big.Int) uint64 {
	return t.Mod(x, f.big).Uint64()
}

// A system is a regular square matrix of integers, factored modulo a prime: its rows, in
// the order of pivots, are those of lower times upper. The diagonal of lower is 1; that of
// upper is stored inverted.
type system struct {
	field
	rows, cols [][]term // entries of the matrix; those of columns have their row as Col
	order      []int
	factors    [][]uint64 // row by row, both in one
}

// newSystem factors a matrix. It fails with errUnusable if that is singular, and with the
// error of ctx.
func newSystem(ctx context.Context, rows [][]term) (*system, error) {
	s := &system{rows: rows, cols: make([][]term, len(rows))}
	for r, row := range rows {
		for _, t := range row {
			s.cols[t.Col] = append(s.cols[t.Col], term{r, t.Value})
		}
	}
	for _, prime := range primes {
		s.field = newField(prime)
		switch regular := s.factor(ctx); {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case regular:
			return s, nil
		}
	}
	return nil, errUnusable
}

// factor reports whether the matrix is regular modulo the prime.
func (s *system) factor(ctx context.Context) bool {
	n, t := len(s.rows), new(big.Int)
	s.order, s.factors = make([]int, n), make([][]uint64, n)
	for r, row := range s.rows {
		s.order[r], s.factors[r] = r, make([]uint64, n)
		for _, e := range row {
			s.factors[r][e.Col] = s.of(e.Value, t)
		}
	}
	for c := range n {
		if ctx.Err() != nil {
			return false
		}
		r := c
		for r < n && s.factors[r][c] == 0 {
			r++
		}
		if r == n {
			return false
		}
		s.factors[r], s.factors[c] = s.factors[c], s.factors[r]
		s.order[r], s.order[c] = s.order[c], s.order[r]
		pivot := s.factors[c]
		pivot[c] = s.invert(pivot[c])
		for _, row := range s.factors[c+1:] {
			if row[c] == 0 {
				continue
			}
			row[c] = s.reduce(row[c] * pivot[c])
			minus := s.prime - row[c]
			for j := c + 1; j < n; j++ {
				if pivot[j] != 0 {
					row[j] = s.reduce(row[j] + minus*pivot[j])
				}
			}
		}
	}
	return true
}

// modulo solves matrix × x = right modulo the prime.
func (s *system) modulo(right []uint64) []uint64 {
	n := len(s.rows)
	x := make([]uint64, n)
	for i, row := range s.factors {
		sum := right[s.order[i]]
		for j, f := range row[:i] {
			if f != 0 && x[j] != 0 {
				sum = s.reduce(sum + f*(s.prime-x[j]))
			}
		}
		x[i] = sum
	}
	for i := n - 1; i >= 0; i-- {
		row, sum := s.factors[i], x[i]
		for j := i + 1; j < n; j++ {
			if row[j] != 0 && x[j] != 0 {
				sum = s.reduce(sum + row[j]*(s.prime-x[j]))
			}
		}
		x[i] = s.reduce(sum * row[i])
	}
	return x
}

// transposedModulo solves with the transposed matrix.
func (s *system) transposedModulo(right []uint64) []uint64 {
	n := len(s.rows)
	x := make([]uint64, n)
	copy(x, right)
	for i, row := range s.factors {
		x[i] = s.reduce(x[i] * row[i])
		if x[i] == 0 {
			continue
		}
		minus := s.prime - x[i]
		for j := i + 1; j < n; j++ {
			x[j] = s.reduce(x[j] + minus*row[j])
		}
	}
	out := make([]uint64, n)
	for i := n - 1; i >= 0; i-- {
		if x[i] != 0 {
			minus := s.prime - x[i]
			for j, f := range s.factors[i][:i] {
				x[j] = s.reduce(x[j] + minus*f)
			}
		}
		out[s.order[i]] = x[i]
	}
	return out
}

// solve returns num and scale > 0 with matrix × num = scale × right, or the error of ctx.
func (s *system) solve(ctx context.Context, right []*big.Int) (num []*big.Int, scale *big.Int, err error) {
	return s.lift(ctx, s.rows, right, s.modulo)
}

// solveTransposed solves with the transposed matrix.
func (s *system) solveTransposed(ctx context.Context, right []*big.Int) (num []*big.Int, scale *big.Int, err error) {
	return s.lift(ctx, s.cols, right, s.transposedModulo)
}

// lift solves rows × x = right from solutions modulo the prime.
func (s *system) lift(
	ctx context.Context, rows [][]term, right []*big.Int, modulo func([]uint64) []uint64,
) (num []*big.Int, scale *big.Int, err error) {
	n := len(rows)
	t, product := new(big.Int), new(big.Int)
	residual, digits := make([]*big.Int, n), [][]uint64(nil)
	for i, x := range right {
		residual[i] = new(big.Int).Set(x)
	}
	low := make([]uint64, n)
	for try := 4; ; try += try / 2 {
		for len(digits) < try {
			if ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
			for i, x := range residual {
				low[i] = s.of(x, t)
			}
			x := modulo(low)
			digits = append(digits, x)
			for i, row := range rows {
				for _, e := range row {
					if x[e.Col] != 0 {
						residual[i].Sub(residual[i], product.Mul(e.Value, t.SetUint64(x[e.Col])))
					}
				}
				residual[i].Quo(residual[i], s.big)
			}
		}
		if num, scale = fractions(digits, s.big); num != nil && solves(rows, num, scale, right) {
			return num, scale, nil
		}
	}
}

// solves reports whether rows × num = scale × right.
func solves(rows [][]term, num []*big.Int, scale *big.Int, right []*big.Int) bool {
	sum, t := new(big.Int), new(big.Int)
	for i, row := range rows {
		sum.Mul(scale, right[i])
		for _, e := range row {
			sum.Sub(sum, t.Mul(e.Value, num[e.Col]))
		}
		if sum.Sign() != 0 {
			return false
		}
	}
	return true
}

// fractions returns small numerators of a common denominator that equal numbers given by
// their digits, modulo a power of the prime; nil if there are none.
func fractions(digits [][]uint64, prime *big.Int) (num []*big.Int, scale *big.Int) {
	modulus := new(big.Int).Exp(prime, big.NewInt(int64(len(digits))), nil)
	bound := new(big.Int).Rsh(modulus, 1)
	bound.Sqrt(bound)
	scale = big.NewInt(1)
	all := make([]*big.Int, len(digits[0]))
	for i := range all {
		x := horner(digits, i, prime)
		all[i] = x
		denominator := reconstruct(new(big.Int).Mod(new(big.Int).Mul(x, scale), modulus), modulus, bound)
		if scale.Mul(scale, denominator).Cmp(bound) > 0 {
			return nil, nil
		}
	}
	half := new(big.Int).Rsh(modulus, 1)
	for _, x := range all {
		x.Mul(x, scale).Mod(x, modulus)
		if x.Cmp(half) > 0 {
			x.Sub(x, modulus)
		}
		if x.CmpAbs(bound) > 0 {
			return nil, nil
		}
	}
	return all, scale
}

// horner returns the number with the i-th digits.
func horner(digits [][]uint64, i int, prime *big.Int) *big.Int {
	x, t := new(big.Int), new(big.Int)
	for k := len(digits) - 1; k >= 0; k-- {
		x.Mul(x, prime).Add(x, t.SetUint64(digits[k][i]))
	}
	return x
}

// reconstruct returns the smallest denominator found by Euclid's algorithm with which x
// equals a fraction with a numerator within the bound.
func reconstruct(x, modulus, bound *big.Int) *big.Int {
	a, b := new(big.Int).Set(modulus), x
	u, v := new(big.Int), big.NewInt(1)
	q, r, t := new(big.Int), new(big.Int), new(big.Int)
	if t.Sub(modulus, x).Cmp(bound) <= 0 {
		return v
	}
	for b.Cmp(bound) > 0 {
		q.QuoRem(a, b, r)
		a, b, r = b, r, a
		u.Sub(u, t.Mul(q, v))
		u, v = v, u
	}
	return v.Abs(v)
}
