package path

import (
	"math"

	"gamebots/solvers/nash/game"
)

// payoffs has a game's payoffs as floats.
type payoffs struct {
	sizes  []int
	start  []int       // where each player's strategies begin among all
	count  int         // number of all players' strategies
	of     [][]float64 // payoff of each player in each cell
	scales []float64   // what the players' payoffs were divided by
}

// newPayoffs returns payoffs with ranges of 1, or if together is set, the largest range of 1
// for all players alike.
func newPayoffs(g *game.NormalForm, together bool) *payoffs {
	p := &payoffs{sizes: g.Sizes}
	for player, all := range g.Payoffs {
		p.start = append(p.start, p.count)
		p.count += g.Sizes[player]
		floats := make([]float64, len(all))
		low, high := math.Inf(1), math.Inf(-1)
		for c, x := range all {
			floats[c], _ = x.Float64()
			low, high = min(low, floats[c]), max(high, floats[c])
		}
		p.of = append(p.of, floats)
		p.scales = append(p.scales, high-low)
		for c := range floats {
			floats[c] -= low
		}
	}
	largest := 0.0
	for _, scale := range p.scales {
		largest = max(largest, scale)
	}
	for player, all := range p.of {
		if together || p.scales[player] == 0 {
			p.scales[player] = largest
		}
		if largest == 0 {
			p.scales[player] = 1
		}
		for c := range all {
			all[c] /= p.scales[player]
		}
	}
	return p
}

// profile calls f for all cells with the strategies of all players, each numbered among all.
func (p *payoffs) profiles(f func(cell int, at []int)) {
	at := append([]int(nil), p.start...)
	for cell := range p.of[0] {
		f(cell, at)
		for player := range at {
			if at[player]++; at[player] < p.start[player]+p.sizes[player] {
				break
			}
			at[player] = p.start[player]
		}
	}
}

// expected returns the payoff of each strategy against the other players' mixed strategies.
func (p *payoffs) expected(x []float64) []float64 {
	sums := make([]float64, p.count)
	p.profiles(func(cell int, at []int) {
		for player, s := range at {
			weight := p.of[player][cell]
			for other, t := range at {
				if other != player {
					weight *= x[t]
				}
			}
			sums[s] += weight
		}
	})
	return sums
}

// derivatives returns the derivatives of expected by all probabilities.
func (p *payoffs) derivatives(x []float64) [][]float64 {
	d := make([][]float64, p.count)
	for s := range d {
		d[s] = make([]float64, p.count)
	}
	p.profiles(func(cell int, at []int) {
		for player, s := range at {
			for by, t := range at {
				if by == player {
					continue
				}
				weight := p.of[player][cell]
				for other, u := range at {
					if other != player && other != by {
						weight *= x[u]
					}
				}
				d[s][t] += weight
			}
		}
	})
	return d
}

// regret returns the most that a player gains by a deviation, as a part of the range of its
// payoffs.
func (p *payoffs) regret(x []float64) float64 {
	most := 0.0
	v := p.expected(x)
	for player := range p.sizes {
		best, own := math.Inf(-1), 0.0
		for s := p.start[player]; s < p.start[player]+p.sizes[player]; s++ {
			best, own = max(best, v[s]), own+x[s]*v[s]
		}
		most = max(most, best-own)
	}
	return most
}

// byPlayer splits a list of numbers by strategy.
func (p *payoffs) byPlayer(x []float64) [][]float64 {
	var all [][]float64
	for player, n := range p.sizes {
		all = append(all, append([]float64(nil), x[p.start[player]:p.start[player]+n]...))
	}
	return all
}
