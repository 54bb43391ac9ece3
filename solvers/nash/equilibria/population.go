package equilibria

import (
	"context"
	"errors"
	"math/big"
	"slices"

	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/internal/linear"
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
	found      []mixture
	degenerate bool
}

// solvePopulation finds all symmetric equilibria of a symmetric game, ordered by their probabilities, the largest of
// the first strategy first. Degenerate says that some equilibrium has a best reply that is not played, or is not the
// only one with its support. If ctx ends it returns what was found so far, and the error of ctx.
func solvePopulation(ctx context.Context, g *game.Game) (found []mixture, degenerate bool, err error) {
	s := &population{n: g.Rows, choices: make([]choice, g.Rows), payoffs: g.A}
	s.setRows()
	err = s.search(ctx, 0)
	slices.SortFunc(s.found, byProbabilities)
	s.found = slices.CompactFunc(s.found, func(a, b mixture) bool { return byProbabilities(a, b) == 0 })
	return s.found, s.degenerate, err
}

// byProbabilities orders mixtures.
func byProbabilities(a, b mixture) int { return slices.CompareFunc(b.x, a.x, (*big.Rat).Cmp) }

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
	var best *big.Rat
	payoffs := make([]*big.Rat, s.n)
	for t := range payoffs {
		payoffs[t] = new(big.Rat)
		for other, q := range x {
			payoffs[t].Add(payoffs[t], new(big.Rat).Mul(q, s.payoffs[t*s.n+other]))
		}
		if best == nil || payoffs[t].Cmp(best) > 0 {
			best = payoffs[t]
		}
	}
	var support []int
	for t, q := range x {
		played, reply := q.Sign() > 0, payoffs[t].Cmp(best) == 0
		switch {
		case played && !reply:
			panic("equilibria: a linear program was solved wrongly")
		case reply && !played:
			s.degenerate = true
		case played:
			support = append(support, t)
		}
	}
	s.degenerate = s.degenerate || !s.isolated(support)
	s.found = append(s.found, mixture{x, best})
}

// isolated reports whether the strategies of a support have only one solution of the equations
// that all gain the same and probabilities add up to 1. The unknowns are the probabilities and the payoff.
func (s *population) isolated(support []int) bool {
	n := len(support)
	rows := make([][]*big.Rat, n+1)
	for i := range rows {
		rows[i] = make([]*big.Rat, n+1)
		for j := range rows[i] {
			rows[i][j] = new(big.Rat)
		}
	}
	for i, t := range support {
		for j, other := range support {
			rows[i][j].SetInt(s.rows[t][other])
		}
		rows[i][n].SetInt64(-1)
		rows[n][i].SetInt64(1)
	}
	return regular(rows)
}

// regular reports whether a matrix has an inverse. It changes the matrix.
func regular(rows [][]*big.Rat) bool {
	f, t := new(big.Rat), new(big.Rat)
	for c := range rows {
		pivot := slices.IndexFunc(rows[c:], func(row []*big.Rat) bool { return row[c].Sign() != 0 })
		if pivot < 0 {
			return false
		}
		rows[c], rows[c+pivot] = rows[c+pivot], rows[c]
		for _, row := range rows[c+1:] {
			f.Quo(row[c], rows[c][c])
			for j := c; j < len(rows); j++ {
				row[j].Sub(row[j], t.Mul(f, rows[c][j]))
			}
		}
	}
	return true
}
