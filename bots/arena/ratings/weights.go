package ratings

import "gamebots/solvers/evaluate/aivat"

// The terms of an estimate are control variates: their mean is zero, whatever their
// weights. With weights of one they are AIVAT. Where the value function is far from the
// play of the opponent, other weights leave less variance. The best ones are found by
// least squares (Lavenberg and Welch, "A perspective on the use of control variables",
// 1981), but never from the deals that they are applied to: deals are divided into
// groups, and the weights of a group are fitted to the others. So estimates stay
// unbiased.

const (
	groups = 5
	// minDeals is the number of deals below which all weights are one.
	minDeals = 50 * aivat.NumCorrections
)

// weighted returns the estimates of deals.
func weighted(deals []dealSum) []float64 {
	out := make([]float64, len(deals))
	if len(deals) < minDeals {
		for i := range deals {
			out[i] = deals[i].won + deals[i].terms.Sum()
		}
		return out
	}
	var all, of [groups]moments
	for g := range groups {
		for i := range deals {
			if i%groups == g {
				of[g].add(&deals[i])
			}
		}
		for other := range groups {
			if other != g {
				all[other].join(&of[g])
			}
		}
	}
	for g := range groups {
		weights := all[g].weights()
		for i := g; i < len(deals); i += groups {
			out[i] = deals[i].won
			for k, x := range deals[i].terms {
				out[i] += weights[k] * x
			}
		}
	}
	return out
}

// moments are sums over deals of the winnings, the terms, and their products.
type moments struct {
	n, won   float64
	terms    aivat.Corrections
	products [aivat.NumCorrections]aivat.Corrections
	with     aivat.Corrections // products of each term and the winnings
}

func (m *moments) add(d *dealSum) {
	m.n++
	m.won += d.won
	for k, x := range d.terms {
		m.terms[k] += x
		m.with[k] += x * d.won
		for j, y := range d.terms {
			m.products[k][j] += x * y
		}
	}
}

func (m *moments) join(o *moments) {
	m.n += o.n
	m.won += o.won
	for k := range m.terms {
		m.terms[k] += o.terms[k]
		m.with[k] += o.with[k]
		for j := range m.terms {
			m.products[k][j] += o.products[k][j]
		}
	}
}

// weights returns the weights that minimise the variance of the winnings plus the weighted
// terms. It returns one for terms that are always zero.
func (m *moments) weights() (weights aivat.Corrections) {
	rows := make([][]float64, aivat.NumCorrections) // covariances of the terms, and then those with the winnings
	for k := range rows {
		rows[k] = make([]float64, aivat.NumCorrections+1)
		weights[k] = 1
		if m.products[k][k] == 0 {
			rows[k][k], rows[k][aivat.NumCorrections] = 1, 1
			continue
		}
		for j := range m.terms {
			rows[k][j] = m.products[k][j] - m.terms[k]*m.terms[j]/m.n
		}
		rows[k][k] *= 1 + 1e-12 // for linearly dependent terms
		rows[k][aivat.NumCorrections] = m.terms[k]*m.won/m.n - m.with[k]
	}
	if solve(rows) {
		for k, row := range rows {
			weights[k] = row[aivat.NumCorrections]
		}
	}
	return weights
}
