package verify

import (
	"math/big"
	"math/bits"
)

// solve solves sum over c in cols of p[r][c] × z_c = 1 for the rows in rows, as many
// as columns, by Bareiss's fraction-free elimination: z_c is num[c] / det, and det is
// the determinant. It returns nil for a singular matrix.
func (p Matrix) solve(rows, cols uint64) (num []*big.Int, det *big.Int) {
	k := bits.OnesCount64(rows)
	entries := p.Entries()
	m := make([][]*big.Int, 0, k) // rows of the matrix, each followed by a 1
	for set := rows; set != 0; set &= set - 1 {
		row := make([]*big.Int, 0, k+1)
		for other := cols; other != 0; other &= other - 1 {
			row = append(row, new(big.Int).Set(entries[bits.TrailingZeros64(set)*p.Cols+bits.TrailingZeros64(other)]))
		}
		m = append(m, append(row, big.NewInt(1)))
	}
	negative, before, t := false, big.NewInt(1), new(big.Int)
	for c := range k {
		r := c
		for r < k && m[r][c].Sign() == 0 {
			r++
		}
		if r == k {
			return nil, nil
		}
		if r != c {
			m[r], m[c] = m[c], m[r]
			negative = !negative
		}
		// Rows above are eliminated too, so that the matrix ends as the determinant
		// times the identity.
		for i := range m {
			if i == c {
				continue
			}
			for j := c + 1; j <= k; j++ {
				t.Mul(m[i][c], m[c][j])
				x := m[i][j]
				x.Mul(x, m[c][c]).Sub(x, t).Quo(x, before)
			}
		}
		before = m[c][c]
	}
	num = make([]*big.Int, k)
	for i := range m {
		num[i] = m[i][k]
		if negative {
			num[i].Neg(num[i])
		}
	}
	det = new(big.Int).Set(before)
	if negative {
		det.Neg(det)
	}
	return num, det
}

// A mixture is a mixed strategy, up to a positive factor.
type mixture struct {
	support uint64
	num     []*big.Int // the support's strategies have the probabilities num / sum
	sum     *big.Int
	det     *big.Int // the determinant without its sign: what is won, in entries of the matrix, is det / sum
	detSign int
}

// indifferent decides whether some mixture over cols, with all of them in its support, makes p's
// player indifferent between rows and gain by no other row. It returns the mixture too, if the verdict is Proved.
func (p Matrix) indifferent(rows, cols uint64) (mixture, Verdict) {
	if words := p.wordsFor(bits.OnesCount64(rows)); words > 0 {
		s := fixedSolvers.Get().(*fixedSolver)
		defer fixedSolvers.Put(s)
		s.words = words
		if x, verdict, decided := s.indifferent(p, rows, cols); decided {
			return x, verdict
		}
	}
	return p.indifferentInAnySize(rows, cols)
}

// indifferentInAnySize is indifferent in integers of any size.
func (p Matrix) indifferentInAnySize(rows, cols uint64) (mixture, Verdict) {
	num, det := p.solve(rows, cols)
	if det == nil {
		return mixture{}, Singular
	}
	x := mixture{cols, num, new(big.Int), new(big.Int).Abs(det), det.Sign()}
	tied := false
	for _, n := range num {
		if x.detSign < 0 {
			n.Neg(n)
		}
		switch n.Sign() {
		case -1:
			return x, Refuted
		case 0:
			tied = true
		}
		x.sum.Add(x.sum, n)
	}
	total, t, payoffs := new(big.Int), new(big.Int), p.Entries()
	for r := range p.Rows {
		if rows>>r&1 != 0 {
			continue
		}
		total.SetInt64(0)
		i := 0
		for set := cols; set != 0; set &= set - 1 {
			total.Add(total, t.Mul(payoffs[r*p.Cols+bits.TrailingZeros64(set)], num[i]))
			i++
		}
		switch total.Cmp(x.det) {
		case 1:
			return x, Refuted
		case 0:
			tied = true
		}
	}
	if tied {
		return x, Degenerate
	}
	return x, Proved
}

// probabilities returns the mixture as probabilities of n strategies.
func (x mixture) probabilities(n int) []*big.Rat {
	out, i := make([]*big.Rat, n), 0
	for s := range out {
		if out[s] = zero; x.support>>s&1 != 0 {
			out[s] = new(big.Rat).SetFrac(x.num[i], x.sum)
			i++
		}
	}
	return out
}

// zero is the probability of all strategies that are not played.
var zero = new(big.Rat)

// payoff returns what p's player wins against a mixture that makes it indifferent.
func (p Matrix) payoff(x mixture) *big.Rat {
	won := new(big.Int).Sub(p.lowest, big.NewInt(1))
	won.Mul(won, x.sum).Add(won, x.det)
	return new(big.Rat).SetFrac(won, new(big.Int).Mul(x.sum, p.common))
}
