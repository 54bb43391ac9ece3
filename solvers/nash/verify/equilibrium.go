package verify

import (
	"math/big"
	"slices"

	"gamebots/solvers/nash/bimatrix"
)

// An Equilibrium is a pair of mixed strategies from which neither player gains by
// deviating, exactly.
type Equilibrium struct {
	X, Y    []*big.Rat // probabilities of rows and of columns; not to be changed
	Payoffs [2]*big.Rat
	// Index is +1 or -1 (Shapley 1974), or 0 for a degenerate equilibrium, which has
	// none.
	Index int
}

// Supports returns the strategies that are played with positive probability,
// counted from 0.
func (e *Equilibrium) Supports() (rows, cols []int) {
	return support(e.X), support(e.Y)
}

// SupportSets returns the supports with a bit for each strategy.
func (e *Equilibrium) SupportSets() (rows, cols uint64) {
	return bimatrix.SetOf(support(e.X)), bimatrix.SetOf(support(e.Y))
}

func support(x []*big.Rat) (played []int) {
	for i, p := range x {
		if p.Sign() != 0 {
			played = append(played, i)
		}
	}
	return played
}

// Compare orders equilibria by the probabilities of rows, then of columns.
func Compare(a, b *Equilibrium) int {
	if c := slices.CompareFunc(a.X, b.X, compareProbabilities); c != 0 {
		return c
	}
	return slices.CompareFunc(a.Y, b.Y, compareProbabilities)
}

// compareProbabilities is x.Cmp, faster where one of them is 0, as most are.
func compareProbabilities(a, b *big.Rat) int {
	if a == b {
		return 0
	}
	if a.Sign() == 0 || b.Sign() == 0 {
		return a.Sign() - b.Sign()
	}
	return a.Cmp(b)
}
