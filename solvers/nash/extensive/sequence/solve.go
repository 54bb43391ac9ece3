package sequence

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"gamebots/solvers/nash/extensive"
)

// A PlayersError is returned for a game with a subgame in which more than two players
// decide, not counting the subgames of it.
type PlayersError struct{ Players int }

func (e *PlayersError) Error() string {
	return fmt.Sprintf("%d players decide in one subgame, at most two can", e.Players)
}

// ErrTooLarge is returned for a subgame that would need too much memory.
var ErrTooLarge = errors.New("a subgame has too many information sets to be solved exactly")

// A Method is a way to an equilibrium.
type Method string

// The methods. All but Whole find subgame perfect equilibria, one subgame after another.
const (
	Subgames Method = "subgames" // the quickest: zero-sum subgames by linear programs, others by Lemke's algorithm
	Lemke    Method = "lemke"    // all by Lemke's algorithm, to an equilibrium of each that is normal form perfect
	Whole    Method = "sequence" // as Subgames, but of the whole game at once
)

// Methods lists the methods, the default one first.
func Methods() []Method { return []Method{Subgames, Lemke, Whole} }

// Bounds of the numbers of a linear program, of eight bytes, and of a tableau, whose
// integers grow.
const (
	maxProgram = 1 << 26
	maxTableau = 1 << 23
)

// A Solution is an equilibrium.
type Solution struct {
	Profile extensive.Profile
	Payoffs []*big.Rat // expected payoff of each player
	// Subgames counts the subgames that were solved one by one.
	Subgames int
}

// Solve finds an equilibrium by a method, and verifies it. It fails with a
// [*extensive.RecallError], a [*PlayersError], ErrTooLarge or the error of ctx.
func Solve(ctx context.Context, g *extensive.Game, method Method) (*Solution, error) {
	q, err := g.Sequences()
	if err != nil {
		return nil, err
	}
	roots := make([]bool, len(g.Nodes))
	roots[0] = true
	if method != Whole {
		roots = g.Subgames()
	}
	s := &solver{
		Sequences: q, method: method, roots: roots, Solution: Solution{Profile: make(extensive.Profile, len(g.Sets))},
	}
	for range g.Players {
		s.values = append(s.values, make([]*big.Rat, len(g.Nodes)))
	}
	for root := len(g.Nodes) - 1; root >= 0; root-- {
		if roots[root] || root == 0 {
			if err := s.solve(ctx, root); err != nil {
				return nil, err
			}
		}
	}
	for _, values := range s.values {
		s.Payoffs = append(s.Payoffs, values[0])
	}
	gains, err := q.Gains(ctx, s.Profile, method != Whole)
	if err != nil {
		return nil, err
	}
	for p, gain := range gains {
		if gain.Sign() != 0 {
			return nil, fmt.Errorf("not verified: player %d gains %s", p+1, gain.RatString())
		}
	}
	return &s.Solution, nil
}

// A solver solves subgames, the last first.
type solver struct {
	*extensive.Sequences
	Solution
	method Method
	roots  []bool
	values [][]*big.Rat // expected payoff of each player from each node on
}

// solve solves the subgame at a root.
func (s *solver) solve(ctx context.Context, root int) error {
	nodes := s.nodesOf(root)
	f, err := s.form(nodes)
	switch {
	case err != nil:
	case len(f.sides[0].sets) == 0: // nobody decides
	case s.method != Lemke && f.zeroSum():
		err = f.solveZeroSum(ctx, s.Profile)
	default:
		err = f.solveComplementarity(ctx, s.Profile)
	}
	if err != nil {
		return err
	}
	s.Subgames++
	for i := len(nodes) - 1; i >= 0; i-- {
		s.setValues(root, nodes[i])
	}
	return nil
}

// nodesOf returns the nodes of a subgame, with the roots of those within but nothing
// after them.
func (s *solver) nodesOf(root int) []int {
	nodes := []int{root}
	for i := root + 1; i < s.Game.Nodes[root].End; {
		nodes = append(nodes, i)
		if s.roots[i] {
			i = s.Game.Nodes[i].End
		} else {
			i++
		}
	}
	return nodes
}

// setValues sets what the players expect from a node on, if its children have values.
func (s *solver) setValues(root, node int) {
	if s.roots[node] && node != root {
		return // set when that subgame was solved
	}
	g := s.Game
	n := &g.Nodes[node]
	for p := range g.Players {
		v := new(big.Rat)
		if n.Outcome != extensive.None {
			v.Set(g.Outcomes[n.Outcome].Payoffs[p])
		}
		for a, c := range n.Children {
			q := g.Sets[n.Set].Probabilities
			if q == nil {
				q = s.Profile[n.Set]
			}
			v.Add(v, new(big.Rat).Mul(q[a], s.values[p][c]))
		}
		s.values[p][node] = v
	}
}
