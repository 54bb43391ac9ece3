package correlated

import (
	"math/big"
	"slices"

	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/internal/linear"
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

// A program is the linear program of a game. A distribution over cells costs what its
// objective falls short of a number that exceeds all. Its probabilities add up to at
// least 1, because no cost is 0 to no more than that, and no incentive gains. The numbers
// are integers, scaled for each player and for the objective.
type program struct {
	game       *game.NormalForm
	incentives []Incentive
	payoffs    [][]*big.Int // payoff of each player in each cell
	objective  []*big.Int   // objective in each cell
	strides    []int        // stride of each player's strategies among cells
	// The integers are payoffs and the objective times these.
	payoffScales []*big.Int // factor of each player
	scale        *big.Int
}

func newProgram(g *game.NormalForm, kind Kind, objective []*big.Rat) *program {
	l := &program{game: g, incentives: kind.incentives(g)}
	for p, payoffs := range g.Payoffs {
		scaled, scale := integers(payoffs)
		l.payoffs, l.payoffScales = append(l.payoffs, scaled), append(l.payoffScales, scale)
		l.strides = append(l.strides, g.Stride(p))
	}
	l.objective, l.scale = integers(objective)
	return l
}

// linear returns the program with a row for the sum of probabilities, and then one for
// each incentive.
func (l *program) linear() *linear.Program {
	above := new(big.Int).Add(slices.MaxFunc(l.objective, (*big.Int).Cmp), big.NewInt(1))
	p := &linear.Program{Right: slices.Repeat([]*big.Int{new(big.Int)}, 1+len(l.incentives)), Row: l.row}
	p.Right[0] = big.NewInt(1)
	for _, x := range l.objective {
		p.Cost = append(p.Cost, new(big.Int).Sub(above, x))
	}
	return p
}

func (l *program) row(i int) []linear.Term {
	var row []linear.Term
	for c := range l.objective {
		value := big.NewInt(1)
		if i > 0 {
			value = l.loss(l.incentives[i-1], c)
		}
		if value.Sign() != 0 {
			row = append(row, linear.Term{Col: c, Value: value})
		}
	}
	return row
}

// integers brings fractions to a common denominator.
func integers(x []*big.Rat) (scaled []*big.Int, denominator *big.Int) {
	denominator = big.NewInt(1)
	for _, r := range x {
		game.AddDenominator(denominator, r)
	}
	for _, r := range x {
		scaled = append(scaled, game.Scaled(r, denominator))
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
