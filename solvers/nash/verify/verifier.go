package verify

import (
	"math/big"
	"math/bits"

	"gamebots/solvers/nash/bimatrix"
)

// A Verifier decides exactly about the equilibria of a game. It is safe for
// concurrent use.
type Verifier struct {
	A, BT Matrix // the row player's payoffs, and the column player's with columns as rows
	game  *bimatrix.Game
}

// New returns a verifier of a game. It panics if [bimatrix.Game.Check] refuses that: a set of a player's strategies has
// 64 bits.
func New(g *bimatrix.Game) *Verifier {
	if err := g.Check(); err != nil {
		panic("verify: " + err.Error())
	}
	return &Verifier{newMatrix(g.Rows, g.Cols, g.A), newMatrix(g.Rows, g.Cols, g.B).transposed(), g}
}

// A Verdict is the exact decision about a pair of supports.
type Verdict int

// The verdicts.
const (
	Proved     Verdict = iota // exactly one equilibrium has these supports, and it is regular
	Refuted                   // no equilibrium has them
	Singular                  // indifference has no solution or many, or the supports differ in size
	Degenerate                // there is a tie: a probability of 0, or a best reply outside of the support
)

// Candidate decides about a pair of supports, given as sets with a bit for each
// strategy. It returns the equilibrium if the verdict is Proved.
func (v *Verifier) Candidate(rows, cols uint64) (*Equilibrium, Verdict) {
	if bits.OnesCount64(rows) != bits.OnesCount64(cols) || rows == 0 {
		return nil, Singular
	}
	y, verdict := v.A.indifferent(rows, cols)
	if verdict == Refuted {
		return nil, Refuted
	}
	x, other := v.BT.indifferent(cols, rows)
	switch {
	case other == Refuted:
		return nil, Refuted
	case verdict == Singular || other == Singular:
		return nil, Singular
	case verdict == Degenerate || other == Degenerate:
		return nil, Degenerate
	}
	return &Equilibrium{X: x.probabilities(v.game.Rows), Y: y.probabilities(v.game.Cols),
		Payoffs: [2]*big.Rat{v.A.payoff(y), v.BT.payoff(x)},
		Index:   indexOf(bits.OnesCount64(rows), x.detSign, y.detSign)}, Proved
}

// indexOf returns the index of an equilibrium with supports of k strategies, by the
// signs of the determinants of the players' payoffs on them.
func indexOf(k, signB, signA int) int {
	if k%2 == 0 {
		return -signA * signB
	}
	return signA * signB
}

// Verify reports whether the strategies of e are an equilibrium by definition:
// no strategy wins more against the other player's. It fills in the payoffs.
func (v *Verifier) Verify(e *Equilibrium) bool {
	rows, ok := v.A.bestReplies(e.X, e.Y)
	cols, ok2 := v.BT.bestReplies(e.Y, e.X)
	if !ok || !ok2 {
		return false
	}
	v.setPayoffs(e, rows, cols)
	return true
}

// setPayoffs fills in the payoffs of an equilibrium, by best replies.
func (v *Verifier) setPayoffs(e *Equilibrium, rows, cols uint64) {
	i, j := bits.TrailingZeros64(rows), bits.TrailingZeros64(cols)
	e.Payoffs = [2]*big.Rat{new(big.Rat), new(big.Rat)}
	t := new(big.Rat)
	for s, q := range e.Y {
		if q.Sign() != 0 {
			e.Payoffs[0].Add(e.Payoffs[0], t.Mul(q, v.game.A[i*v.game.Cols+s]))
		}
	}
	for s, q := range e.X {
		if q.Sign() != 0 {
			e.Payoffs[1].Add(e.Payoffs[1], t.Mul(q, v.game.B[s*v.game.Cols+j]))
		}
	}
}

// SetIndex computes the index of an equilibrium, 0 if it is degenerate.
func (v *Verifier) SetIndex(e *Equilibrium) {
	rows, _ := v.A.bestReplies(e.X, e.Y)
	cols, _ := v.BT.bestReplies(e.Y, e.X)
	e.Index = 0
	if playedRows, playedCols := e.SupportSets(); rows != playedRows || cols != playedCols ||
		bits.OnesCount64(rows) != bits.OnesCount64(cols) {
		return
	}
	_, detA := v.A.solve(rows, cols)
	_, detB := v.BT.solve(cols, rows)
	if detA != nil && detB != nil {
		e.Index = indexOf(bits.OnesCount64(rows), detB.Sign(), detA.Sign())
	}
}

// bestReplies returns the best replies of p's player to the other's mixed strategy.
// It reports whether both are mixed strategies and own mixes best replies only.
func (p Matrix) bestReplies(own, other []*big.Rat) (best uint64, ok bool) {
	if len(own) != p.Rows || len(other) != p.Cols || !isDistribution(own) || !isDistribution(other) {
		return 0, false
	}
	common := big.NewInt(1)
	for _, q := range other {
		bimatrix.AddDenominator(common, q)
	}
	weights := make([]*big.Int, p.Cols)
	for c, q := range other {
		weights[c] = bimatrix.Scaled(q, common)
	}
	highest, value, t, entries := new(big.Int), new(big.Int), new(big.Int), p.Entries()
	for r := range p.Rows {
		value.SetInt64(0)
		for c, w := range weights {
			if w.Sign() != 0 {
				value.Add(value, t.Mul(w, entries[r*p.Cols+c]))
			}
		}
		switch value.Cmp(highest) {
		case 1:
			highest, value, best = value, highest, 1<<r
		case 0:
			best |= 1 << r
		}
	}
	for r, q := range own {
		if q.Sign() != 0 && best>>r&1 == 0 {
			return best, false
		}
	}
	return best, true
}

// isDistribution reports whether numbers are nonnegative and add up to 1.
func isDistribution(x []*big.Rat) bool {
	sum := new(big.Rat)
	for _, p := range x {
		if p.Sign() < 0 {
			return false
		}
		sum.Add(sum, p)
	}
	return sum.Cmp(big.NewRat(1, 1)) == 0
}
