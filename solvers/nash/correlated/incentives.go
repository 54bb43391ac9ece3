package correlated

import (
	"math/big"

	"gamebots/solvers/nash/game"
)

// A Kind is a kind of equilibrium.
type Kind int

// The kinds.
const (
	Correlated Kind = iota
	Coarse
)

func (k Kind) String() string { return []string{"correlated", "coarse correlated"}[k] }

// An Incentive is a player's gain by one strategy, To, in place of another, From. In
// coarse equilibria From is -1: To is played in place of any recommended strategy.
type Incentive struct {
	Player, From, To int
}

// incentives returns all incentives of a kind.
func (k Kind) incentives(g *game.NormalForm) []Incentive {
	var all []Incentive
	for p, n := range g.Sizes {
		for to := range n {
			if k == Coarse {
				all = append(all, Incentive{p, -1, to})
				continue
			}
			for from := range n {
				if from != to {
					all = append(all, Incentive{p, from, to})
				}
			}
		}
	}
	return all
}

// A program is the linear program of a game: maximise objective × p over the
// distributions p over cells with incentive × p >= 0 for each incentive. Its numbers
// are integers, scaled for each player and for the objective.
type program struct {
	kind       Kind
	game       *game.NormalForm
	incentives []Incentive
	payoffs    [][]*big.Int // by player and cell
	objective  []*big.Int   // by cell
	strides    []int        // by player
	// The integers are payoffs and the objective times these.
	payoffScales []*big.Int // by player
	scale        *big.Int
}

func newProgram(g *game.NormalForm, kind Kind, objective []*big.Rat) *program {
	l := &program{kind: kind, game: g, incentives: kind.incentives(g)}
	for p, payoffs := range g.Payoffs {
		scaled, scale := integers(payoffs)
		l.payoffs, l.payoffScales = append(l.payoffs, scaled), append(l.payoffScales, scale)
		l.strides = append(l.strides, g.Stride(p))
	}
	l.objective, l.scale = integers(objective)
	return l
}

// integers brings fractions to a common denominator.
func integers(x []*big.Rat) (scaled []*big.Int, denominator *big.Int) {
	denominator = big.NewInt(1)
	for _, r := range x {
		gcd := new(big.Int).GCD(nil, nil, denominator, r.Denom())
		denominator.Mul(denominator, new(big.Int).Quo(r.Denom(), gcd))
	}
	for _, r := range x {
		n := new(big.Int).Quo(denominator, r.Denom())
		scaled = append(scaled, n.Mul(n, r.Num()))
	}
	return scaled, denominator
}

// loss returns what a player loses in a cell by giving in to an incentive.
func (l *program) loss(i Incentive, cell int) *big.Int {
	stride := l.strides[i.Player]
	at := cell / stride % l.game.Sizes[i.Player]
	if i.From >= 0 && at != i.From || at == i.To {
		return new(big.Int)
	}
	payoffs := l.payoffs[i.Player]
	return new(big.Int).Sub(payoffs[cell], payoffs[cell+(i.To-at)*stride])
}
