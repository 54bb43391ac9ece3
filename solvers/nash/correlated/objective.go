package correlated

import (
	"fmt"
	"math/big"
	"strings"

	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/internal/syntax"
)

// Welfare returns the objective that is the sum of all players' payoffs.
func Welfare(g *game.NormalForm) []*big.Rat {
	weights := make([]*big.Rat, len(g.Sizes))
	for p := range weights {
		weights[p] = big.NewRat(1, 1)
	}
	return Weighted(g, weights)
}

// Weighted returns the objective that is the sum of players' payoffs times weights.
func Weighted(g *game.NormalForm, weights []*big.Rat) []*big.Rat {
	objective := make([]*big.Rat, g.Cells())
	for c := range objective {
		objective[c] = new(big.Rat)
		for p, w := range weights {
			objective[c].Add(objective[c], new(big.Rat).Mul(w, g.Payoffs[p][c]))
		}
	}
	return objective
}

// The objectives that have names.
const (
	welfare = "welfare"
	none    = "any"
)

// ParseObjective returns the objective that a text names: welfare, any for the first equilibrium
// found, or weights of the players' payoffs as 1,0,-1/2.
func ParseObjective(g *game.NormalForm, text string) ([]*big.Rat, error) {
	switch text {
	case welfare:
		return Welfare(g), nil
	case none:
		return Weighted(g, nil), nil
	}
	var weights []*big.Rat
	for word := range strings.SplitSeq(text, ",") {
		w, err := syntax.ParseNumber(strings.TrimSpace(word))
		if err != nil {
			return nil, fmt.Errorf("%q is not %s, %s, or numbers separated by commas: %w", text, welfare, none, err)
		}
		weights = append(weights, w)
	}
	if len(weights) != len(g.Players) {
		return nil, fmt.Errorf("%d weights for %d players", len(weights), len(g.Players))
	}
	return Weighted(g, weights), nil
}
