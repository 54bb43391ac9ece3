package correlated

import (
	"errors"
	"fmt"
	"math/big"

	"gamebots/solvers/nash/game"
)

// Verify checks in fractions, by the definitions, that the solution is an equilibrium
// and that its multipliers prove it optimal for the objective.
func (s *Solution) Verify(g *game.NormalForm, objective []*big.Rat) error {
	distance, err := Distance(g, s.Kind, s.Probability)
	switch {
	case err != nil:
		return err
	case distance.Total.Sign() != 0:
		return fmt.Errorf("not a %v equilibrium: deviations gain %s", s.Kind, distance.Total.RatString())
	case expectation(s.Probability, objective).Cmp(s.Value) != 0:
		return errors.New("the value is not the expectation of the objective")
	}
	for c := range objective {
		bound, profile := new(big.Rat).Set(objective[c]), g.Profile(c)
		for _, m := range s.Multipliers {
			if m.Weight.Sign() < 0 {
				return errors.New("a negative multiplier")
			}
			recommended := profile[m.Player]
			if m.From >= 0 && m.From != recommended {
				continue
			}
			profile[m.Player] = m.To
			loss := new(big.Rat).Sub(g.Payoffs[m.Player][c], g.Payoffs[m.Player][g.Cell(profile)])
			profile[m.Player] = recommended
			bound.Add(bound, loss.Mul(loss, m.Weight))
		}
		if bound.Cmp(s.Value) > 0 {
			return fmt.Errorf("not proved to be optimal: cell %v may gain", profile)
		}
	}
	return nil
}

// A Gap is how far a distribution is from being an equilibrium: what each player gains
// by the best deviations, and in total.
type Gap struct {
	Players []*big.Rat
	Total   *big.Rat
}

// Distance returns the gap of a distribution over the cells of a game. In coarse
// equilibria a player deviates to one strategy, in others to one for each recommended
// strategy. OpenSpiel's corr_dist computes the same total in floats. Games that Solve
// refuses as too large are refused here, too.
func Distance(g *game.NormalForm, kind Kind, probability []*big.Rat) (Gap, error) {
	if err := kind.check(g); err != nil {
		return Gap{}, err
	}
	if len(probability) != g.Cells() {
		return Gap{}, fmt.Errorf("%d probabilities for %d cells", len(probability), g.Cells())
	}
	sum := new(big.Rat)
	for c, p := range probability {
		if p.Sign() < 0 {
			return Gap{}, fmt.Errorf("cell %v has a negative probability", g.Profile(c))
		}
		sum.Add(sum, p)
	}
	if sum.Cmp(big.NewRat(1, 1)) != 0 {
		return Gap{}, fmt.Errorf("probabilities add up to %s, not to 1", sum.RatString())
	}
	gap := Gap{Total: new(big.Rat)}
	for p, n := range g.Sizes {
		// gains[from][to] in expectation; with one from for coarse equilibria.
		gains := make([][]*big.Rat, n)
		if kind == Coarse {
			gains = gains[:1]
		}
		for from := range gains {
			for range n {
				gains[from] = append(gains[from], new(big.Rat))
			}
		}
		for c, q := range probability {
			if q.Sign() == 0 {
				continue
			}
			profile := g.Profile(c)
			from := profile[p]
			if kind == Coarse {
				from = 0
			}
			for to := range n {
				profile[p] = to
				gain := new(big.Rat).Sub(g.Payoffs[p][g.Cell(profile)], g.Payoffs[p][c])
				gains[from][to].Add(gains[from][to], gain.Mul(gain, q))
			}
		}
		best := new(big.Rat)
		for _, row := range gains {
			most := new(big.Rat)
			for _, gain := range row {
				if gain.Cmp(most) > 0 {
					most = gain
				}
			}
			best.Add(best, most)
		}
		gap.Players = append(gap.Players, best)
		gap.Total.Add(gap.Total, best)
	}
	return gap, nil
}
