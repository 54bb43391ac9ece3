package nash

import (
	"math/big"
	"math/bits"
)

// solve solves sum over c in cols of at[r][c] × z_c = 1 for the rows in rows, as
// many as columns, in integers by Bareiss's elimination: z_c is num[c] / det, and
// det is the determinant. It returns nil for a singular matrix.
func (p positive) solve(rows, cols uint64) (num []*big.Int, det *big.Int) {
	k := bits.OnesCount64(rows)
	at := p.at()
	m := make([][]*big.Int, 0, k) // rows of the matrix, each with a 1 behind it
	for set := rows; set != 0; set &= set - 1 {
		row := make([]*big.Int, 0, k+1)
		for other := cols; other != 0; other &= other - 1 {
			row = append(row, new(big.Int).Set(at[bits.TrailingZeros64(set)*p.cols+bits.TrailingZeros64(other)]))
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
		// Each row above is eliminated too, so that the matrix ends as a diagonal
		// of the determinant.
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

// A mixture is a point of a polytope: probabilities times a positive number.
type mixture struct {
	support uint64
	num     []*big.Int // of each strategy in the support; probabilities are num / sum
	sum     *big.Int
	detSign int // of the matrix it solves
}

// standing says how the candidate of two supports does in exact arithmetic.
type standing int

const (
	isEquilibrium standing = iota
	isNone
	isSingular // indifference has no solution or many, or there is none to ask for
	isTied     // it is degenerate
)

// indifferent returns the mixture over cols by which p's player is indifferent
// between rows and gains by no other.
func (p positive) indifferent(rows, cols uint64) (mixture, standing) {
	num, det := p.solve(rows, cols)
	if det == nil {
		return mixture{}, isSingular
	}
	x := mixture{support: cols, num: num, sum: new(big.Int), detSign: det.Sign()}
	at, tied := det.Sign(), false
	for _, n := range num {
		if at < 0 {
			n.Neg(n)
		}
		switch n.Sign() {
		case -1:
			return x, isNone
		case 0:
			tied = true
		}
		x.sum.Add(x.sum, n)
	}
	det = new(big.Int).Abs(det)
	total, t, payoffs := new(big.Int), new(big.Int), p.at()
	for r := range p.rows {
		if rows>>r&1 != 0 {
			continue
		}
		total.SetInt64(0)
		i := 0
		for set := cols; set != 0; set &= set - 1 {
			total.Add(total, t.Mul(payoffs[r*p.cols+bits.TrailingZeros64(set)], num[i]))
			i++
		}
		switch total.Cmp(det) {
		case 1:
			return x, isNone
		case 0:
			tied = true
		}
	}
	if tied {
		return x, isTied
	}
	return x, isEquilibrium
}

// probabilities returns the mixture as probabilities of n strategies.
func (x mixture) probabilities(n int) []*big.Rat {
	out, i := make([]*big.Rat, n), 0
	for s := range out {
		out[s] = new(big.Rat)
		if x.support>>s&1 != 0 {
			out[s].SetFrac(x.num[i], x.sum)
			i++
		}
	}
	return out
}
