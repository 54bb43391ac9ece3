package multiplayer

import (
	"math"
	"math/big"
	"slices"

	"gonum.org/v1/gonum/mat"

	"gamebots/solvers/nash/game"
)

// Near returns an equilibrium near some mixed strategies, by player. If none can be certified, as
// where infinitely many are, it returns an exact one whose probabilities are simple fractions, or
// else mixed strategies with a proved bound of their regret.
func Near(g *game.NormalForm, strategies [][]float64) *Equilibrium {
	var best *Equilibrium
	payoffs := scaled(g)
	for _, least := range hardlyPlayed {
		e := &Equilibrium{Strategies: without(strategies, least)}
		if certified, ok := Certify(g, e.Strategies); ok {
			return certified
		}
		s := newSupportSearch(g, payoffs, e.Supports())
		x := s.part(e.Strategies)
		for _, near := range [][][]float64{x, s.balanced(x)} {
			if near == nil {
				continue
			}
			for _, round := range []func(float64) *big.Rat{fractionNear, decimalNear} {
				if e := s.withRegret(near, round); best == nil || e.Regret.Cmp(best.Regret) < 0 {
					best = e
				}
			}
		}
	}
	if best.Regret.Sign() == 0 {
		best.Regret = nil
	}
	return best
}

// hardlyPlayed are probabilities of strategies that may be 0 in an equilibrium nearby.
var hardlyPlayed = []float64{0, 1e-6, 1e-4, 1e-2}

// without returns mixed strategies without strategies of hardly any probability.
func without(strategies [][]float64, least float64) [][]float64 {
	kept := make([][]float64, len(strategies))
	for p, x := range strategies {
		least := min(least, slices.Max(x)/2)
		kept[p] = make([]float64, len(x))
		for s, q := range x {
			if q > least {
				kept[p][s] = q
			}
		}
	}
	return kept
}

// part returns the probabilities of the strategies of the supports.
func (s *supportSearch) part(strategies [][]float64) [][]float64 {
	x := make([][]float64, len(s.supports))
	for p, support := range s.supports {
		for _, strategy := range support {
			x[p] = append(x[p], strategies[p][strategy])
		}
	}
	s.complete(x)
	return x
}

// dependent is the part of the largest singular value below which equations are taken to depend
// on each other.
const dependent = 1e-7

// balanced returns the solution of the equations of indifference closest to a point, by Newton's
// method with the pseudoinverse, nil if it finds none with positive probabilities.
func (s *supportSearch) balanced(x [][]float64) [][]float64 {
	if s.dimensions == 0 {
		return nil
	}
	x = slices.Clone(x)
	for p := range x {
		x[p] = slices.Clone(x[p])
	}
	for range 30 {
		var entries, values []float64
		for i, row := range s.jacobian(x) {
			entries = append(entries, row...)
			values = append(values, s.equations[i].at(own(x, s.equations[i].player)))
		}
		var factors mat.SVD
		if !factors.Factorize(mat.NewDense(len(values), s.dimensions, entries), mat.SVDThin) {
			return nil
		}
		var step mat.VecDense
		if rank := factors.Rank(dependent); rank > 0 {
			factors.SolveVecTo(&step, mat.NewVecDense(len(values), values), rank)
		} else {
			step = *mat.NewVecDense(s.dimensions, nil)
		}
		n := 0
		for p := range x {
			for i := range len(x[p]) - 1 {
				x[p][i] -= step.AtVec(n)
				n++
			}
		}
		s.complete(x)
		if mat.Norm(&step, math.Inf(1)) < 1e-15 {
			break
		}
	}
	for _, probabilities := range x {
		if !(slices.Min(probabilities) > 0) {
			return nil
		}
	}
	return x
}

// decimalNear returns a number of 15 decimals.
func decimalNear(x float64) *big.Rat {
	return big.NewRat(int64(math.Round(x*1e15)), 1e15)
}

// withRegret returns the mixed strategies near a point with rounded probabilities, and their
// regret.
func (s *supportSearch) withRegret(x [][]float64, round func(float64) *big.Rat) *Equilibrium {
	exact := s.rounded(x, round)
	for p, support := range s.supports {
		if last := exact[p][support[len(support)-1]]; last.Sign() < 0 { // the others were rounded up
			largest := slices.MaxFunc(exact[p], (*big.Rat).Cmp)
			largest.Add(largest, last)
			last.SetInt64(0)
		}
	}
	e := exactly(s.game, exact)
	_, e.Regret = Payoffs(s.game, exact)
	return &e
}

// rounded returns mixed strategies with rounded probabilities, but for the last of each support.
func (s *supportSearch) rounded(x [][]float64, round func(float64) *big.Rat) [][]*big.Rat {
	var exact [][]*big.Rat
	for p, support := range s.supports {
		last := big.NewRat(1, 1)
		full := slices.Repeat([]*big.Rat{new(big.Rat)}, s.sizes[p])
		for i, strategy := range support[:len(support)-1] {
			full[strategy] = round(x[p][i])
			last.Sub(last, full[strategy])
		}
		full[support[len(support)-1]] = last
		exact = append(exact, full)
	}
	return exact
}
