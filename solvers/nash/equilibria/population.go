package equilibria

import (
	"context"
	"errors"
	"math/big"
	"slices"

	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/internal/linear"
	"gamebots/solvers/nash/verify"
)

// A choice is what a branch of the search decides about a strategy.
type choice int8

const (
	open choice = iota
	unplayed
	bestReply
)

// A population is the search for the symmetric equilibria of a game, as those of one population that plays against
// itself. It decides for one strategy after the other whether it is not played or a best reply, and ends a branch
// where a linear program proves that no mixed strategy is left.
type population struct {
	n          int
	rows       [][]*big.Int // payoffs of each strategy against all, integers above 0
	choices    []choice     // what is decided about each strategy
	payoffs    []*big.Rat   // what the first player gets, row by row
	verifier   *verify.Verifier
	found      []verify.Equilibrium
	degenerate bool
}

// solvePopulation finds all symmetric equilibria of a symmetric game, ordered by their probabilities, the largest of
// the first strategy first. Degenerate says that some equilibrium has a best reply that is not played, or is not the
// only one with its support. If ctx ends it returns what was found so far, and the error of ctx.
func solvePopulation(ctx context.Context, g *game.Game) (found []verify.Equilibrium, degenerate bool, err error) {
	s := &population{n: g.Rows, choices: make([]choice, g.Rows), payoffs: g.A, verifier: verify.New(g)}
	s.setRows()
	err = s.search(ctx, 0)
	compare := func(a, b verify.Equilibrium) int { return verify.Compare(&b, &a) }
	slices.SortFunc(s.found, compare)
	same := func(a, b verify.Equilibrium) bool { return compare(a, b) == 0 }
	return slices.CompactFunc(s.found, same), s.degenerate, err
}

// setRows sets the payoffs multiplied by a denominator and shifted so that all are positive, which
// changes no best reply.
func (s *population) setRows() {
	denominator, least := big.NewInt(1), new(big.Rat)
	for _, x := range s.payoffs {
		game.AddDenominator(denominator, x)
		if x.Cmp(least) < 0 {
			least = x
		}
	}
	s.rows = make([][]*big.Int, s.n)
	for i, x := range s.payoffs {
		n := game.Scaled(new(big.Rat).Sub(x, least), denominator)
		s.rows[i/s.n] = append(s.rows[i/s.n], n.Add(n, big.NewInt(1)))
	}
}

// search decides the strategies from one on.
func (s *population) search(ctx context.Context, from int) error {
	x, err := s.feasible(ctx)
	switch {
	case errors.Is(err, linear.ErrInfeasible):
		return nil
	case err != nil:
		return err
	case from == s.n:
		s.add(x)
		return nil
	}
	for _, c := range []choice{bestReply, unplayed} {
		s.choices[from] = c
		if err := s.search(ctx, from+1); err != nil {
			return err
		}
	}
	s.choices[from] = open
	return nil
}

// feasible returns a mixed strategy that has the choices made so far. The variables of the linear
// program are the probabilities, and the payoff. Two rows say that probabilities add up to 1. Then for
// each strategy a row says that it gains at most the payoff, and if it is a best reply, another one
// that it gains at least that.
func (s *population) feasible(ctx context.Context) ([]*big.Rat, error) {
	one, minusOne, zero := big.NewInt(1), big.NewInt(-1), new(big.Int)
	var rows [][]linear.Term
	var right []*big.Int
	add := func(row []linear.Term, x *big.Int) { rows, right = append(rows, row), append(right, x) }
	var sum, negative []linear.Term
	for t, c := range s.choices {
		if c != unplayed {
			sum = append(sum, linear.Term{Col: t, Value: one})
			negative = append(negative, linear.Term{Col: t, Value: minusOne})
		}
	}
	add(sum, one)
	add(negative, minusOne)
	for t, c := range s.choices {
		var most, least []linear.Term
		for other, payoff := range s.rows[t] {
			if s.choices[other] != unplayed {
				most = append(most, linear.Term{Col: other, Value: new(big.Int).Neg(payoff)})
				least = append(least, linear.Term{Col: other, Value: payoff})
			}
		}
		add(append(most, linear.Term{Col: s.n, Value: one}), zero)
		if c == bestReply {
			add(append(least, linear.Term{Col: s.n, Value: minusOne}), zero)
		}
	}
	program := &linear.Program{
		Cost:  slices.Repeat([]*big.Int{zero}, s.n+1),
		Right: right,
		Row:   func(i int) []linear.Term { return rows[i] },
	}
	solution, err := program.Solve(ctx)
	if err != nil {
		return nil, err
	}
	return solution.X[:s.n], nil
}

// add adds an equilibrium.
func (s *population) add(x []*big.Rat) {
	e := verify.Equilibrium{X: x, Y: x}
	verdict := verify.Refuted
	if s.verifier.Verify(&e) {
		_, verdict = s.verifier.Candidate(e.SupportSets())
	}
	if verdict == verify.Refuted {
		panic("equilibria: a linear program was solved wrongly")
	}
	s.degenerate = s.degenerate || verdict != verify.Proved
	s.found = append(s.found, e)
}
