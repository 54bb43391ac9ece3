package polymatrix

import (
	"math/big"

	"gamebots/solvers/nash/game"
)

// A Game is a polymatrix game.
type Game struct {
	Sizes []int
	// Payoffs are by player, other player, and cell: the own strategy times the number of
	// the other's, plus the other's. Those against the own kind are nil but for populations.
	Payoffs [][][]*big.Rat
}

// New returns the polymatrix game with the payoffs of a game, if it is one.
func New(g *game.NormalForm) (*Game, bool) {
	p := &Game{Sizes: g.Sizes}
	for player := range g.Sizes {
		p.Payoffs = append(p.Payoffs, against(g, player))
		if !p.agrees(g, player) {
			return nil, false
		}
	}
	return p, true
}

// against returns a player's payoffs against each other one, while all others play their first
// strategy. The payoffs when everybody plays the first strategy count for the first of the others.
func against(g *game.NormalForm, player int) [][]*big.Rat {
	all := make([][]*big.Rat, len(g.Sizes))
	first := true
	profile := make([]int, len(g.Sizes))
	at := func(own, other, s int) *big.Rat {
		profile[player], profile[other] = own, s
		x := g.Payoffs[player][g.Cell(profile)]
		profile[player], profile[other] = 0, 0
		return x
	}
	for other, n := range g.Sizes {
		if other == player {
			continue
		}
		for own := range g.Sizes[player] {
			for s := range n {
				x := at(own, other, s)
				if !first {
					x = new(big.Rat).Sub(x, at(own, other, 0))
				}
				all[other] = append(all[other], x)
			}
		}
		first = false
	}
	return all
}

// agrees reports whether a player has the same payoffs in all cells of a game.
func (p *Game) agrees(g *game.NormalForm, player int) bool {
	sum := new(big.Rat)
	for c, want := range g.Payoffs[player] {
		profile := g.Profile(c)
		sum.SetInt64(0)
		for other, payoffs := range p.Payoffs[player] {
			if payoffs != nil {
				sum.Add(sum, payoffs[profile[player]*p.Sizes[other]+profile[other]])
			}
		}
		if sum.Cmp(want) != 0 {
			return false
		}
	}
	return true
}

// Population returns the game of one population whose equilibria are the symmetric ones of a
// game of two players, if that is symmetric: each gets in a cell what the other gets if they
// change places.
func Population(g *game.Game) (*Game, bool) {
	if g.Rows != g.Cols {
		return nil, false
	}
	for i := range g.Rows {
		for j := range g.Cols {
			if g.A[i*g.Cols+j].Cmp(g.B[j*g.Cols+i]) != 0 {
				return nil, false
			}
		}
	}
	return &Game{[]int{g.Rows}, [][][]*big.Rat{{g.A}}}, true
}

// payoff returns a player's payoff by a strategy against the mixed strategies of all.
func (p *Game) payoff(player, strategy int, x [][]*big.Rat) *big.Rat {
	sum, t := new(big.Rat), new(big.Rat)
	for other, payoffs := range p.Payoffs[player] {
		for s, q := range x[other] {
			if payoffs != nil && q.Sign() > 0 {
				sum.Add(sum, t.Mul(q, payoffs[strategy*p.Sizes[other]+s]))
			}
		}
	}
	return sum
}
