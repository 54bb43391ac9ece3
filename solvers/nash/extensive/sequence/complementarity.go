package sequence

import (
	"context"
	"math/big"
	"slices"

	"gamebots/solvers/nash/bimatrix"
	"gamebots/solvers/nash/extensive"
)

// A player's plan gives a weight to each sequence: 1 to the first, and of each information
// set its actions together that of the sequence before. The best replies to a plan of the
// other player are those whose loss is 0: what a sequence loses, compared with the value
// of its set. A pair of plans is an equilibrium if for each sequence weight or loss is 0.
//
// Lemke's algorithm starts from a prior plan of both, which is completely mixed. For a
// number z from 1 down to 0, each player plays the prior with probability z, and otherwise
// a best reply to what the other does. At z = 1 these are the best replies to the prior,
// at z = 0 an equilibrium. In between the algorithm follows a path of such points: where a
// weight becomes 0 its loss may grow, and vice versa.

// A player is a side with what it wins.
type player struct {
	*side
	payoffs map[[2]int]*big.Int // keys: the player's own sequence, the other's
	prior   []*big.Int          // weights by sequence
	reply   []int               // sequence of each set that is the best reply to the other's prior
}

// solveComplementarity sets an equilibrium, found by Lemke's algorithm.
func (f *form) solveComplementarity(ctx context.Context, profile extensive.Profile) error {
	if n := f.sides[0].count + f.sides[1].count; n*n > maxTableau {
		return ErrTooLarge
	}
	var players [2]player
	for d := range players {
		players[d] = player{side: &f.sides[d], payoffs: f.integers(d)}
	}
	setPriors(&players)
	for d := range players {
		players[d].setReplies(&players[1-d])
	}
	t := newTableau(&players)
	if err := t.follow(ctx); err != nil {
		return err
	}
	for d := range players {
		p := &players[d]
		p.weight = []*big.Rat{big.NewRat(1, 1)}
		for s := 1; s < p.count; s++ {
			p.weight = append(p.weight, t.weight(d, s))
		}
	}
	f.setStrategies(profile)
	return nil
}

// integers returns the payoffs of a side, brought to a common denominator.
func (f *form) integers(d int) map[[2]int]*big.Int {
	common := big.NewInt(1)
	for _, c := range f.cells {
		bimatrix.AddDenominator(common, c.payoffs[d])
	}
	payoffs := make(map[[2]int]*big.Int, len(f.cells))
	for at, c := range f.cells {
		if d == 1 {
			at[0], at[1] = at[1], at[0]
		}
		payoffs[at] = bimatrix.Scaled(c.payoffs[d], common)
	}
	return payoffs
}

// setPriors sets the priors, which give the same probability to all actions of a set. All
// weights are integers, with the same one for both players' first sequences.
func setPriors(players *[2]player) {
	common := big.NewInt(1)
	var weights [2][]*big.Rat
	for d := range players {
		p := &players[d]
		weights[d] = make([]*big.Rat, p.count)
		weights[d][0] = big.NewRat(1, 1)
		for _, h := range p.sets {
			for s := range h.count {
				w := new(big.Rat).Mul(weights[d][h.parent], big.NewRat(1, int64(h.count)))
				weights[d][h.first+s] = w
				bimatrix.AddDenominator(common, w)
			}
		}
	}
	for d := range players {
		for _, w := range weights[d] {
			players[d].prior = append(players[d].prior, bimatrix.Scaled(w, common))
		}
	}
}

// setReplies finds a best reply to the other's prior.
func (p *player) setReplies(other *player) {
	values := zeros(p.count)
	for at, x := range p.payoffs {
		values[at[0]].Add(values[at[0]], new(big.Int).Mul(x, other.prior[at[1]]))
	}
	p.reply = make([]int, len(p.sets))
	for i, h := range slices.Backward(p.sets) {
		best := h.first
		for s := h.first; s < h.first+h.count; s++ {
			if values[s].Cmp(values[best]) > 0 {
				best = s
			}
		}
		p.reply[i] = best
		values[h.parent].Add(values[h.parent], values[best])
	}
}
