package extensive

import (
	"context"
	"fmt"
	"math/big"
	"slices"
)

// A Profile has the probabilities of actions by information set, nil for chance moves.
type Profile [][]*big.Rat

// Check returns an error unless a profile has a distribution over the actions of each
// information set.
func (g *Game) Check(s Profile) error {
	if len(s) != len(g.Sets) {
		return fmt.Errorf("strategies for %d of %d information sets", len(s), len(g.Sets))
	}
	for i := range g.Sets {
		if g.Sets[i].Player == Chance {
			continue
		}
		err := checkProbabilities(s[i])
		if len(s[i]) != len(g.Sets[i].Actions) {
			err = fmt.Errorf("%d probabilities of %d actions", len(s[i]), len(g.Sets[i].Actions))
		}
		if err != nil {
			return fmt.Errorf("information set %s: %w", g.SetName(i), err)
		}
	}
	return nil
}

// probability returns the probability of an action of a node that is no leaf.
func (g *Game) probability(s Profile, node, action int) *big.Rat {
	set := g.Nodes[node].Set
	if g.Sets[set].Player == Chance {
		return g.Sets[set].Probabilities[action]
	}
	return s[set][action]
}

// Values returns what each player expects to win from each node on, with the payoffs of
// the node itself. Numbers are shared with the game and must not be changed.
func (g *Game) Values(s Profile) [][]*big.Rat {
	values := make([][]*big.Rat, len(g.Players))
	for p := range values {
		values[p], _ = g.valuesOf(context.Background(), s, p) // this context does not end
	}
	return values
}

// nodesAtOnce is how many nodes are looked at before a context is.
const nodesAtOnce = 1 << 12

// valuesOf returns the values of a player by node, or the error of the context if that ends.
func (g *Game) valuesOf(ctx context.Context, s Profile, player int) ([]*big.Rat, error) {
	values := make([]*big.Rat, len(g.Nodes))
	for i := len(g.Nodes) - 1; i >= 0; i-- {
		if i%nodesAtOnce == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		v := g.payoff(i, player)
		for a, c := range g.Nodes[i].Children {
			if q := g.probability(s, i, a); q.Sign() != 0 {
				v = new(big.Rat).Add(v, new(big.Rat).Mul(q, values[c]))
			}
		}
		values[i] = v
	}
	return values, nil
}

// payoff returns what a player wins at a node itself. It must not be changed.
func (g *Game) payoff(node, player int) *big.Rat {
	if o := g.Nodes[node].Outcome; o != None {
		return g.Outcomes[o].Payoffs[player]
	}
	return zero
}

// Gains returns what each player can gain by deviating from a profile: from the root of
// the game on in a Nash equilibrium, where all gains are 0, and with subgames the most
// that can be gained from the root of any on. Other players stay with their strategies. A
// profile is a subgame perfect equilibrium if nobody gains in any subgame.
//
// All is computed in fractions by the definition. A player who gains in a subgame, but
// not in those below, gains where the values of these replace them. Each node is
// therefore looked at only once. The error is that of the context if it ends before.
func (q *Sequences) Gains(ctx context.Context, s Profile, subgames bool) ([]*big.Rat, error) {
	g := q.Game
	if err := g.Check(s); err != nil {
		return nil, err
	}
	roots := make([]bool, len(g.Nodes))
	roots[0] = true
	if subgames {
		roots = g.Subgames()
	}
	gains := make([]*big.Rat, len(g.Players))
	for p := range gains {
		values, err := g.valuesOf(ctx, s, p)
		if err != nil {
			return nil, err
		}
		if gains[p], err = q.gain(ctx, s, p, roots, values); err != nil {
			return nil, err
		}
	}
	return gains, nil
}

// gain returns the most that a player gains from any of the roots on, or the error of the
// context if that ends.
func (q *Sequences) gain(
	ctx context.Context, s Profile, player int, roots []bool, values []*big.Rat,
) (*big.Rat, error) {
	g := q.Game
	// Sums of payoffs after each of the player's sequences, weighted with the
	// probabilities of everyone else's moves since the root of the subgame; and after a
	// root, those that do not depend on the player.
	sums, atRoot := make([]big.Rat, q.Count[player]), map[int]*big.Rat{}
	rootOf, weight, paid := make([]int, len(g.Nodes)), make([]*big.Rat, len(g.Nodes)), make([]*big.Rat, len(g.Nodes))
	sumOf := func(root, node int) *big.Rat {
		if sequence := q.Of[player][node]; sequence != q.Of[player][root] {
			return &sums[sequence]
		}
		if atRoot[root] == nil {
			atRoot[root] = new(big.Rat)
		}
		return atRoot[root]
	}
	for i := range g.Nodes {
		if i%nodesAtOnce == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		n := &g.Nodes[i]
		if i == 0 {
			weight[i], paid[i] = one, zero
		} else {
			up := n.Parent
			rootOf[i], weight[i], paid[i] = rootOf[up], weight[up], new(big.Rat).Add(paid[up], g.payoff(up, player))
			if g.Sets[g.Nodes[up].Set].Player != player {
				weight[i] = new(big.Rat).Mul(weight[up], g.probability(s, up, n.Action))
			}
		}
		if n.Set == None || roots[i] && i > 0 { // the game or this subgame ends
			x := new(big.Rat).Add(paid[i], values[i])
			sum := sumOf(rootOf[i], i)
			sum.Add(sum, x.Mul(x, weight[i]))
		}
		if roots[i] {
			rootOf[i], weight[i], paid[i] = i, one, zero
		}
	}
	// The best action of each set, from the last decisions to the first.
	for _, set := range slices.Backward(q.Sets[player]) {
		best := &sums[q.First[set]]
		for a := range g.Sets[set].Actions {
			if x := &sums[int(q.First[set])+a]; x.Cmp(best) > 0 {
				best = x
			}
		}
		node := g.Sets[set].Nodes[0]
		sum := sumOf(rootOf[node], node)
		sum.Add(sum, best)
	}
	most := new(big.Rat)
	for root, best := range atRoot {
		if gain := new(big.Rat).Sub(best, values[root]); gain.Cmp(most) > 0 {
			most = gain
		}
	}
	return most, nil
}
