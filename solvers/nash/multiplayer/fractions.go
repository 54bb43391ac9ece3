package multiplayer

import (
	"math/big"
	"slices"

	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/internal/polynomial"
)

// exactly returns the equilibrium with some probabilities.
func exactly(g *game.NormalForm, x [][]*big.Rat) Equilibrium {
	e := Equilibrium{Exact: x}
	for p := range x {
		var floats []float64
		for _, q := range x[p] {
			near, _ := q.Float64()
			floats = append(floats, near)
		}
		e.Strategies = append(e.Strategies, floats)
	}
	e.addPayoffs(g)
	return e
}

// pureEquilibrium returns the equilibrium of a combination of strategies.
func pureEquilibrium(g *game.NormalForm, profile []int) Equilibrium {
	x := make([][]*big.Rat, len(profile))
	for p, s := range profile {
		x[p] = slices.Repeat([]*big.Rat{new(big.Rat)}, g.Sizes[p])
		x[p][s] = big.NewRat(1, 1)
	}
	return exactly(g, x)
}

// Payoffs returns exactly each player's payoff, and the most that a player gains by another
// strategy, 0 of an equilibrium.
func Payoffs(g *game.NormalForm, x [][]*big.Rat) (payoffs []*big.Rat, regret *big.Rat) {
	regret = new(big.Rat)
	for p := range x {
		own, best := new(big.Rat), (*big.Rat)(nil)
		for s, payoff := range payoffsOf(g, p, x) {
			own.Add(own, new(big.Rat).Mul(x[p][s], payoff))
			if best == nil || payoff.Cmp(best) > 0 {
				best = payoff
			}
		}
		payoffs = append(payoffs, own)
		if gain := new(big.Rat).Sub(best, own); gain.Cmp(regret) > 0 {
			regret = gain
		}
	}
	return payoffs, regret
}

// payoffsOf returns a player's payoff for each of its strategies.
func payoffsOf(g *game.NormalForm, player int, x [][]*big.Rat) []*big.Rat {
	integers := func(of []*big.Rat) (scaled []*big.Int, denominator *big.Int) {
		denominator = big.NewInt(1)
		for _, q := range of {
			game.AddDenominator(denominator, q)
		}
		for _, q := range of {
			scaled = append(scaled, game.Scaled(q, denominator))
		}
		return scaled, denominator
	}
	sums, denominator := integers(g.Payoffs[player])
	outer := 1 // cells of the players before one, which vary faster
	for p, n := range g.Sizes {
		if p == player {
			outer *= n
			continue
		}
		weights, d := integers(x[p])
		denominator.Mul(denominator, d)
		to := make([]*big.Int, len(sums)/n)
		for i := range to {
			to[i] = new(big.Int)
			for s, weight := range weights {
				if weight.Sign() != 0 {
					to[i].Add(to[i], new(big.Int).Mul(weight, sums[i%outer+(i/outer*n+s)*outer]))
				}
			}
		}
		sums = to
	}
	var payoffs []*big.Rat
	for _, sum := range sums {
		payoffs = append(payoffs, new(big.Rat).SetFrac(sum, denominator))
	}
	return payoffs
}

// closeness is how far a fraction may be from a float that is taken for it.
var closeness = big.NewRat(1, 1e10)

// fractionNear returns the fraction of the smallest denominator that is close to a number.
func fractionNear(x float64) *big.Rat {
	exact := new(big.Rat).SetFloat64(x)
	return polynomial.Simplest(new(big.Rat).Sub(exact, closeness), new(big.Rat).Add(exact, closeness))
}

// solution returns the only solution of the equations of indifference within some radii of a
// point, in fractions, if these are simple. Otherwise it returns nil.
func (s *supportSearch) solution(x [][]float64, radii []float64) [][]*big.Rat {
	exact := s.rounded(x, fractionNear)
	n := 0
	for p, support := range s.supports {
		for i, strategy := range support[:len(support)-1] {
			off := new(big.Rat).SetFloat64(x[p][i])
			if off.Sub(off, exact[p][strategy]).Abs(off).Cmp(new(big.Rat).SetFloat64(radii[n])) > 0 {
				return nil
			}
			n++
		}
	}
	for p, support := range s.supports {
		payoffs := payoffsOf(s.game, p, exact)
		for _, strategy := range support[1:] {
			if payoffs[strategy].Cmp(payoffs[support[0]]) != 0 {
				return nil
			}
		}
	}
	return exact
}

// isEquilibrium reports whether a solution has positive probabilities and nobody gains.
func (s *supportSearch) isEquilibrium(x [][]*big.Rat) bool {
	for p, support := range s.supports {
		for _, strategy := range support {
			if x[p][strategy].Sign() <= 0 {
				return false
			}
		}
	}
	_, regret := Payoffs(s.game, x)
	return regret.Sign() == 0
}
