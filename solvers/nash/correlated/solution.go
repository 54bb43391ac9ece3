package correlated

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"gamebots/solvers/nash/game"
)

// maxEntries bounds the numbers of the simplex method, eight bytes each.
const maxEntries = 1 << 26

// ErrTooLarge is returned for games whose linear program has too many numbers.
var ErrTooLarge = errors.New("the game has too many strategies: a linear program of its incentives is too large")

// check returns an error for a game that is not one, or is too large.
func (k Kind) check(g *game.NormalForm) error {
	if err := g.Check(); err != nil {
		return err
	}
	rows := 1
	for _, n := range g.Sizes {
		if k == Coarse {
			rows += n
		} else {
			rows += n * (n - 1)
		}
	}
	if rows > maxEntries/g.Cells() {
		return ErrTooLarge
	}
	return nil
}

// A Multiplier is the weight of an incentive in the proof of an optimum. It is positive.
type Multiplier struct {
	Incentive
	Weight *big.Rat
}

// A Solution is an equilibrium with the largest expectation of an objective.
//
// Its proof: the sum of the objective and of each incentive's loss, times its
// multiplier, is at most Value in every cell. In equilibrium no loss has a negative
// expectation, so that no equilibrium has a larger objective.
type Solution struct {
	Kind        Kind
	Probability []*big.Rat // probability of each cell
	Payoffs     []*big.Rat // expectations, by player
	Value       *big.Rat   // the expectation of the objective
	Multipliers []Multiplier
}

// Solve returns an equilibrium of a kind with the largest expectation of an objective,
// which has a number for each cell.
func Solve(ctx context.Context, g *game.NormalForm, kind Kind, objective []*big.Rat) (*Solution, error) {
	if err := kind.check(g); err != nil {
		return nil, err
	}
	if len(objective) != g.Cells() {
		return nil, fmt.Errorf("an objective of %d numbers for %d cells", len(objective), g.Cells())
	}
	l := newProgram(g, kind, objective)
	optimum, err := l.linear().Solve(ctx)
	if err != nil {
		return nil, err
	}
	s := &Solution{Kind: kind, Probability: optimum.X}
	// Multipliers are of integers, with other units than payoffs and the objective.
	for n, i := range l.incentives {
		if weight := optimum.Dual[1+n]; weight.Sign() != 0 {
			weight.Mul(weight, new(big.Rat).SetFrac(l.payoffScales[i.Player], l.scale))
			s.Multipliers = append(s.Multipliers, Multiplier{i, weight})
		}
	}
	s.Value = expectation(s.Probability, objective)
	for _, payoffs := range g.Payoffs {
		s.Payoffs = append(s.Payoffs, expectation(s.Probability, payoffs))
	}
	return s, nil
}

func expectation(probability, x []*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for c, p := range probability {
		if p.Sign() != 0 {
			sum.Add(sum, new(big.Rat).Mul(p, x[c]))
		}
	}
	return sum
}
