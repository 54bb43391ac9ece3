package nash

import (
	"cmp"
	"math/big"
	"math/bits"
	"slices"
)

// An Equilibrium is a pair of mixed strategies from which no player gains by
// turning away, exactly.
type Equilibrium struct {
	X, Y       []*big.Rat // probabilities of rows and of columns, not to be changed
	Payoffs    [2]*big.Rat
	rows, cols uint64 // the supports, where there are no probabilities
	// Index is +1 or -1 (Shapley 1974), or 0 where the equilibrium is degenerate
	// and has none.
	Index int
}

// Supports returns which strategies are played, counted from 0.
func (e *Equilibrium) Supports() (rows, cols []int) {
	if e.X == nil {
		return members(nil, e.rows), members(nil, e.cols)
	}
	return support(e.X), support(e.Y)
}

// Fill computes the probabilities and payoffs of an equilibrium of g that was found
// without them (Options.Bare).
func (g *Game) Fill(e *Equilibrium) {
	if e.X != nil {
		return
	}
	p := newProver(g)
	full, _ := p.candidate(e.rows, e.cols, false)
	if full.Payoffs[0] == nil {
		p.pay(full, e.rows, e.cols)
	}
	*e = *full
}

func support(x []*big.Rat) (played []int) {
	for i, p := range x {
		if p.Sign() != 0 {
			played = append(played, i)
		}
	}
	return played
}

// compare orders equilibria by their rows' probabilities, then by columns', and
// those that have none by supports.
func compare(a, b *Equilibrium) int {
	if a.X == nil || b.X == nil {
		return cmp.Or(cmp.Compare(a.rows, b.rows), cmp.Compare(a.cols, b.cols))
	}
	if c := slices.CompareFunc(a.X, b.X, compareParts); c != 0 {
		return c
	}
	return slices.CompareFunc(a.Y, b.Y, compareParts)
}

// compareParts compares probabilities: mostly by which of them is 0.
func compareParts(a, b *big.Rat) int {
	if a == b {
		return 0
	}
	if a.Sign() == 0 || b.Sign() == 0 {
		return a.Sign() - b.Sign()
	}
	return a.Cmp(b)
}

// A prover decides exactly about the equilibria of a game. Any goroutines may use
// it at the same time.
type prover struct {
	game  *Game
	a, bt positive // of the row player; of the column player, with a row a column
}

func newProver(g *Game) *prover {
	return &prover{g, newPositive(g.Rows, g.Cols, g.A), newPositive(g.Rows, g.Cols, g.B).transposed()}
}

// candidate decides about a pair of supports: whether exactly one equilibrium has
// these and is regular, no equilibrium has them, or neither is known.
// A bare equilibrium has no probabilities.
func (p *prover) candidate(rows, cols uint64, bare bool) (*Equilibrium, standing) {
	if bits.OnesCount64(rows) != bits.OnesCount64(cols) || rows == 0 {
		return nil, isSingular
	}
	if bare {
		if e := p.certain(rows, cols); e != nil {
			return e, isEquilibrium
		}
	}
	if e, how, done := p.wideCandidate(rows, cols, bare); done {
		return e, how
	}
	e, how := p.largeCandidate(rows, cols)
	if e != nil && bare {
		*e = Equilibrium{rows: rows, cols: cols, Index: e.Index}
	}
	return e, how
}

// largeCandidate is candidate for numbers of any size.
func (p *prover) largeCandidate(rows, cols uint64) (*Equilibrium, standing) {
	y, how := p.a.indifferent(rows, cols)
	if how == isNone {
		return nil, isNone
	}
	x, other := p.bt.indifferent(cols, rows)
	switch {
	case other == isNone:
		return nil, isNone
	case how == isSingular || other == isSingular:
		return nil, isSingular
	case how == isTied || other == isTied:
		return nil, isTied
	}
	e := &Equilibrium{X: x.probabilities(p.game.Rows), Y: y.probabilities(p.game.Cols)}
	e.Index = indexOf(bits.OnesCount64(rows), x.detSign, y.detSign)
	return e, isEquilibrium
}

func indexOf(k, signB, signA int) int {
	if k%2 == 0 {
		return -signA * signB
	}
	return signA * signB
}

// verify says whether strategies are an equilibrium, by what that means: no
// strategy wins more against the other's. It fills in the payoffs.
func (p *prover) verify(e *Equilibrium) bool {
	rows, ok := p.a.replies(e.X, e.Y)
	cols, ok2 := p.bt.replies(e.Y, e.X)
	if !ok || !ok2 {
		return false
	}
	p.pay(e, rows, cols)
	return true
}

// pay fills in the payoffs of an equilibrium, of which best replies are known.
func (p *prover) pay(e *Equilibrium, rows, cols uint64) {
	i, j := bits.TrailingZeros64(rows), bits.TrailingZeros64(cols)
	e.Payoffs = [2]*big.Rat{new(big.Rat), new(big.Rat)}
	t := new(big.Rat)
	for s, q := range e.Y {
		if q.Sign() != 0 {
			e.Payoffs[0].Add(e.Payoffs[0], t.Mul(q, p.game.A[i*p.game.Cols+s]))
		}
	}
	for s, q := range e.X {
		if q.Sign() != 0 {
			e.Payoffs[1].Add(e.Payoffs[1], t.Mul(q, p.game.B[s*p.game.Cols+j]))
		}
	}
}

// setIndex computes the index of an equilibrium that is one.
func (p *prover) setIndex(e *Equilibrium) {
	rows, _ := p.a.replies(e.X, e.Y)
	cols, _ := p.bt.replies(e.Y, e.X)
	e.Index = 0
	if rows != set(support(e.X)) || cols != set(support(e.Y)) || bits.OnesCount64(rows) != bits.OnesCount64(cols) {
		return
	}
	_, detA := p.a.solve(rows, cols)
	_, detB := p.bt.solve(cols, rows)
	if detA != nil && detB != nil {
		e.Index = indexOf(bits.OnesCount64(rows), detB.Sign(), detA.Sign())
	}
}

func set(members []int) (s uint64) {
	for _, i := range members {
		s |= 1 << i
	}
	return s
}

// replies returns the best replies of p's player to probabilities of the other,
// and whether all that the player mixes are among them.
func (p positive) replies(own, other []*big.Rat) (best uint64, ok bool) {
	if len(own) != p.rows || len(other) != p.cols || !distribution(own) || !distribution(other) {
		return 0, false
	}
	common := big.NewInt(1)
	for _, q := range other {
		common.Mul(common, new(big.Int).Quo(q.Denom(), new(big.Int).GCD(nil, nil, common, q.Denom())))
	}
	weights := make([]*big.Int, p.cols)
	for c, q := range other {
		weights[c] = new(big.Int).Mul(q.Num(), new(big.Int).Quo(common, q.Denom()))
	}
	most, value, t, at := new(big.Int), new(big.Int), new(big.Int), p.at()
	for r := range p.rows {
		value.SetInt64(0)
		for c, w := range weights {
			if w.Sign() != 0 {
				value.Add(value, t.Mul(w, at[r*p.cols+c]))
			}
		}
		switch value.Cmp(most) {
		case 1:
			most, value, best = value, most, 1<<r
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

// distribution says whether numbers are probabilities of all there is.
func distribution(x []*big.Rat) bool {
	sum := new(big.Rat)
	for _, p := range x {
		if p.Sign() < 0 {
			return false
		}
		sum.Add(sum, p)
	}
	return sum.Cmp(big.NewRat(1, 1)) == 0
}
