package polymatrix

import (
	"context"
	"errors"
	"math/big"
	"slices"

	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/internal/linear"
)

// An Equilibrium has a mixed strategy and a payoff for each player.
type Equilibrium struct {
	Strategies [][]*big.Rat
	Payoffs    []*big.Rat
}

// A Result is the result of Solve.
type Result struct {
	Equilibria []Equilibrium // ordered by their probabilities, the largest of the first strategy first
	// Degenerate reports whether some equilibrium has a best reply that is not played, or is
	// not the only one with its supports. Then there may be infinitely many.
	Degenerate bool
	Programs   int // linear programs that were solved
}

// Solve finds all equilibria. If ctx ends it returns what was found so far, and the error of
// ctx.
func Solve(ctx context.Context, g *Game) (*Result, error) {
	s := newSearch(g)
	err := s.search(ctx, 0)
	slices.SortFunc(s.result.Equilibria, compare)
	s.result.Equilibria = slices.CompactFunc(s.result.Equilibria,
		func(a, b Equilibrium) bool { return compare(a, b) == 0 })
	return &s.result, err
}

// compare orders equilibria by their probabilities.
func compare(a, b Equilibrium) int {
	for p := range a.Strategies {
		if c := slices.CompareFunc(b.Strategies[p], a.Strategies[p], (*big.Rat).Cmp); c != 0 {
			return c
		}
	}
	return 0
}

// A choice is what a branch of the search decides about a strategy.
type choice int8

const (
	open choice = iota
	unplayed
	bestReply
)

type search struct {
	game    *Game
	player  []int        // player of each strategy
	first   []int        // first strategy of each player
	rows    [][]*big.Int // payoffs of each strategy against all strategies, integers above 0
	choices []choice     // choice of each strategy
	result  Result
}

func newSearch(g *Game) *search {
	s := &search{game: g}
	for p, n := range g.Sizes {
		s.first = append(s.first, len(s.player))
		s.player = append(s.player, slices.Repeat([]int{p}, n)...)
	}
	s.choices = make([]choice, len(s.player))
	for p := range g.Sizes {
		s.rows = append(s.rows, s.integers(p)...)
	}
	return s
}

// integers returns a player's payoffs against all strategies, multiplied by a denominator and
// shifted so that all are positive, which changes no best reply.
func (s *search) integers(p int) [][]*big.Int {
	denominator, least := big.NewInt(1), new(big.Rat)
	for _, payoffs := range s.game.Payoffs[p] {
		for _, x := range payoffs {
			game.AddDenominator(denominator, x)
			if x.Cmp(least) < 0 {
				least = x
			}
		}
	}
	rows := make([][]*big.Int, s.game.Sizes[p])
	for own := range rows {
		for other, n := range s.game.Sizes {
			for t := range n {
				x := new(big.Rat)
				if payoffs := s.game.Payoffs[p][other]; payoffs != nil {
					x.Sub(payoffs[own*n+t], least)
				}
				n := game.Scaled(x, denominator)
				rows[own] = append(rows[own], n.Add(n, big.NewInt(1)))
			}
		}
	}
	return rows
}

// search decides the strategies from one on.
func (s *search) search(ctx context.Context, from int) error {
	x, err := s.feasible(ctx)
	switch {
	case errors.Is(err, linear.ErrInfeasible):
		return nil
	case err != nil:
		return err
	case from == len(s.choices):
		s.found(x)
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

// feasible returns mixed strategies that have the choices made so far. The variables of the
// linear program are the probabilities, and each player's payoff. The rows are two for each
// player, that its probabilities add up to 1, and for each strategy that its payoff is at most
// that, and if it is a best reply, at least that.
func (s *search) feasible(ctx context.Context) ([]*big.Rat, error) {
	s.result.Programs++
	n := len(s.player)
	one, minusOne, zero := big.NewInt(1), big.NewInt(-1), new(big.Int)
	var rows [][]linear.Term
	var right []*big.Int
	add := func(row []linear.Term, x *big.Int) { rows, right = append(rows, row), append(right, x) }
	for p, first := range s.first {
		var sum, negative []linear.Term
		for t := first; t < first+s.game.Sizes[p]; t++ {
			if s.choices[t] != unplayed {
				sum, negative = append(sum, linear.Term{Col: t, Value: one}), append(negative,
					linear.Term{Col: t, Value: minusOne})
			}
		}
		add(sum, one)
		add(negative, minusOne)
	}
	for t, c := range s.choices {
		var most, least []linear.Term
		for other, payoff := range s.rows[t] {
			if s.choices[other] != unplayed {
				most = append(most, linear.Term{Col: other, Value: new(big.Int).Neg(payoff)})
				least = append(least, linear.Term{Col: other, Value: payoff})
			}
		}
		payoff := n + s.player[t]
		add(append(most, linear.Term{Col: payoff, Value: one}), zero)
		if c == bestReply {
			add(append(least, linear.Term{Col: payoff, Value: minusOne}), zero)
		}
	}
	program := &linear.Program{
		Cost:  slices.Repeat([]*big.Int{zero}, n+len(s.first)),
		Right: right,
		Row:   func(i int) []linear.Term { return rows[i] },
	}
	solution, err := program.Solve(ctx)
	if err != nil {
		return nil, err
	}
	return solution.X[:n], nil
}

// found adds an equilibrium.
func (s *search) found(x []*big.Rat) {
	e := Equilibrium{}
	for p, first := range s.first {
		e.Strategies = append(e.Strategies, x[first:first+s.game.Sizes[p]])
	}
	var support []int
	for p, strategies := range e.Strategies {
		var best *big.Rat
		payoffs := make([]*big.Rat, len(strategies))
		for t := range strategies {
			payoffs[t] = s.game.payoff(p, t, e.Strategies)
			if best == nil || payoffs[t].Cmp(best) > 0 {
				best = payoffs[t]
			}
		}
		for t, q := range strategies {
			played, reply := q.Sign() > 0, payoffs[t].Cmp(best) == 0
			switch {
			case played && !reply:
				panic("polymatrix: a linear program was solved wrongly")
			case reply && !played:
				s.result.Degenerate = true
			case played:
				support = append(support, s.first[p]+t)
			}
		}
		e.Payoffs = append(e.Payoffs, best)
	}
	s.result.Degenerate = s.result.Degenerate || !s.isolated(support)
	s.result.Equilibria = append(s.result.Equilibria, e)
}

// isolated reports whether the strategies of a support have only one solution of the equations
// that their players are indifferent and probabilities add up to 1. The unknowns are the
// probabilities and the players' payoffs.
func (s *search) isolated(support []int) bool {
	n := len(support) + len(s.first)
	rows := make([][]*big.Rat, n)
	for i := range rows {
		rows[i] = make([]*big.Rat, n)
		for j := range rows[i] {
			rows[i][j] = new(big.Rat)
		}
	}
	for i, t := range support {
		for j, other := range support {
			rows[i][j].SetInt(s.rows[t][other])
		}
		payoff := len(support) + s.player[t]
		rows[i][payoff].SetInt64(-1)
		rows[payoff][i].SetInt64(1)
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

// Supports returns the strategies that each player mixes.
func (e *Equilibrium) Supports() [][]int {
	supports := make([][]int, len(e.Strategies))
	for p, x := range e.Strategies {
		for s, q := range x {
			if q.Sign() > 0 {
				supports[p] = append(supports[p], s)
			}
		}
	}
	return supports
}
