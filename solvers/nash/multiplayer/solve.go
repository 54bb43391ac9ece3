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

// An Equilibrium is proved to be one: it has the probabilities of Exact, or if that is nil,
// probabilities within Radius of those given, with the same supports, as exactly one has. Or it is
// approximate: of the mixed strategies of Exact, Regret is the most that a player gains by another one.
type Equilibrium struct {
	Strategies [][]float64 // probabilities of each player's strategies
	Radius     float64
	Payoffs    []float64    // payoff of each player
	Exact      [][]*big.Rat // Strategies as fractions, nil if they are not known
	Regret     *big.Rat     // nil if it is 0
}

// same reports whether two exact equilibria are the same.
func (e *Equilibrium) same(o Equilibrium) bool {
	return o.Exact != nil && slices.EqualFunc(e.Exact, o.Exact, func(x, y []*big.Rat) bool {
		return slices.EqualFunc(x, y, func(p, q *big.Rat) bool { return p.Cmp(q) == 0 })
	})
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
	// Continua are ordered by their dimensions, the largest first. Each has at least one of
	// Equilibria.
	Continua []Continuum
	// Undecided counts places where floats could neither prove nor exclude an
	// equilibrium. All of a game without such places are in the list.
	Undecided int
	Boxes     int // boxes that were looked at
}

// Solve finds all equilibria of a small game. If ctx ends it returns what was found so
// far, and the error of ctx.
func Solve(ctx context.Context, g *game.NormalForm, threads int) (*Result, error) {
	return solve(ctx, g, threads, false)
}

// SolveSymmetric finds those equilibria of a symmetric game in which all players do the same.
func SolveSymmetric(ctx context.Context, g *game.NormalForm, threads int) (*Result, error) {
	return solve(ctx, g, threads, true)
}

func solve(ctx context.Context, g *game.NormalForm, threads int, symmetric bool) (*Result, error) {
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
	if symmetric {
		combinations = 1<<g.Sizes[0] - 1
	}
	r := &Result{}
	pure, err := Pure(ctx, g)
	if err != nil {
		return r, err
	}
	for _, c := range pure {
		profile := g.Profile(c)
		if !symmetric || slices.Min(profile) == slices.Max(profile) {
			r.Equilibria = append(r.Equilibria, pureEquilibrium(g, profile))
		}
	}
	payoffs := scaled(g)
	found := make([]*supportSearch, combinations)
	parallel.For(threads, combinations, func(_, i int) {
		s := newSupportSearch(g, payoffs, combination(g.Sizes, i, symmetric))
		if found[i] = s; s.dimensions > 0 && ctx.Err() == nil {
			s.run(ctx, symmetric)
		}
	})
	slices.SortStableFunc(found, func(a, b *supportSearch) int { return a.dimensions - b.dimensions })
	var all []*family
	for _, s := range found {
		for _, e := range s.found {
			if !symmetric || e.symmetric() {
				e.addPayoffs(g)
				r.Equilibria = append(r.Equilibria, e)
			}
		}
		r.Undecided += s.undecided
		r.Boxes += s.boxes
		all = append(all, s.families...)
	}
	r.collect(g, all)
	return r, ctx.Err()
}

// symmetric reports whether all players do the same, up to the radius.
func (e *Equilibrium) symmetric() bool {
	for _, x := range e.Strategies[1:] {
		for s := range x {
			if math.Abs(x[s]-e.Strategies[0][s]) > 2*e.Radius {
				return false
			}
		}
	}
	return true
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
