package multiplayer

import (
	"context"
	"errors"
	"math"
	"math/big"
	"slices"

	"gamebots/internal/parallel"
	"gamebots/solvers/nash/game"
)

// Bounds of Solve.
const (
	maxStrategies = 6      // strategies of a player
	maxSupports   = 5000   // combinations of supports: 3,375 of 4 by 4 by 4
	maxBoxes      = 100000 // boxes of a combination of supports
)

// margin exceeds the rounding errors of expectations of payoffs between -1 and 1 over
// mixed strategies: 2^-53 for each operation of a chain, of which there is one for each
// strategy and each player.
const (
	margin   = 2e-14
	maxChain = 150
)

// ErrTooLarge is returned for games in which not all equilibria can be found.
var ErrTooLarge = errors.New("all equilibria are found in games of up to 4 by 4 by 4 strategies or the like")

// An Equilibrium is a certified equilibrium: exactly one has all its probabilities
// within Radius of these, and the same supports. That of a pure equilibrium is 0.
type Equilibrium struct {
	Strategies [][]float64 // probabilities of each player's strategies
	Radius     float64
	Payoffs    []float64 // payoff of each player
}

// Supports returns the strategies that each player mixes.
func (e *Equilibrium) Supports() [][]int {
	supports := make([][]int, len(e.Strategies))
	for p, x := range e.Strategies {
		for s, q := range x {
			if q > 0 {
				supports[p] = append(supports[p], s)
			}
		}
	}
	return supports
}

// A Result is the result of Solve.
type Result struct {
	// Equilibria are ordered by their supports, pure ones first.
	Equilibria []Equilibrium
	// Undecided counts places where floats could neither prove nor exclude an
	// equilibrium. All of a game without such places are in the list.
	Undecided int
	Boxes     int // boxes that were looked at
}

// Symmetric returns the result with those equilibria alone in which all players do the same.
func (r *Result) Symmetric() *Result {
	symmetric := &Result{Undecided: r.Undecided, Boxes: r.Boxes}
	for _, e := range r.Equilibria {
		same := true
		for _, x := range e.Strategies[1:] {
			for s := range x {
				same = same && math.Abs(x[s]-e.Strategies[0][s]) <= 2*e.Radius
			}
		}
		if same {
			symmetric.Equilibria = append(symmetric.Equilibria, e)
		}
	}
	return symmetric
}

// Solve finds all equilibria of a small game. If ctx ends it returns what was found so
// far, and the error of ctx.
func Solve(ctx context.Context, g *game.NormalForm, threads int) (*Result, error) {
	if err := g.Check(); err != nil {
		return nil, err
	}
	combinations := 1
	for _, n := range g.Sizes {
		if n > maxStrategies {
			return nil, ErrTooLarge
		}
		if combinations *= 1<<n - 1; combinations > maxSupports {
			return nil, ErrTooLarge
		}
	}
	r := &Result{}
	pure, err := Pure(ctx, g)
	if err != nil {
		return r, err
	}
	payoffs := scaled(g)
	for _, c := range pure {
		e := Equilibrium{}
		for p, s := range g.Profile(c) {
			x := make([]float64, g.Sizes[p])
			x[s] = 1
			e.Strategies = append(e.Strategies, x)
		}
		r.Equilibria = append(r.Equilibria, e)
	}
	found := make([]*supportSearch, combinations)
	parallel.For(threads, combinations, func(_, i int) {
		s := newSupportSearch(g, payoffs, combination(g.Sizes, i))
		if found[i] = s; s.dimensions > 0 && ctx.Err() == nil {
			s.run(ctx)
		}
	})
	slices.SortStableFunc(found, func(a, b *supportSearch) int { return a.dimensions - b.dimensions })
	for _, s := range found {
		r.Equilibria = append(r.Equilibria, s.found...)
		r.Undecided += s.undecided
		r.Boxes += s.boxes
	}
	for i := range r.Equilibria {
		r.Equilibria[i].addPayoffs(g)
	}
	return r, ctx.Err()
}

func (e *Equilibrium) addPayoffs(g *game.NormalForm) {
	for p := range g.Sizes {
		e.Payoffs = append(e.Payoffs, expected(g, p, e.Strategies))
	}
}

// scaled returns all payoffs, divided and shifted to be between -1 and 1 for each
// player, which changes no equilibrium.
func scaled(g *game.NormalForm) [][]float64 {
	all := make([][]float64, len(g.Sizes))
	for p, payoffs := range g.Payoffs {
		low := slices.MinFunc(payoffs, (*big.Rat).Cmp)
		size := new(big.Rat).Sub(slices.MaxFunc(payoffs, (*big.Rat).Cmp), low)
		for _, x := range payoffs {
			y := 0.0
			if size.Sign() > 0 {
				y, _ = new(big.Rat).Quo(new(big.Rat).Sub(x, low), size).Float64()
			}
			all[p] = append(all[p], y)
		}
	}
	return all
}

// expected returns a player's expected payoff.
func expected(g *game.NormalForm, player int, strategies [][]float64) float64 {
	sum := 0.0
	for c, x := range g.Payoffs[player] {
		weight := 1.0
		for p, s := range g.Profile(c) {
			weight *= strategies[p][s]
		}
		if weight != 0 {
			payoff, _ := x.Float64()
			sum += weight * payoff
		}
	}
	return sum
}
