package tabular

import "gamebots/solvers/cfr"

// A traversal updates regrets from the whole tree.
type traversal struct {
	*Trainer
	algorithm cfr.Algorithm
	sigma     []float64 // newest strategies, by entry
	predicted []float64 // regrets to which strategies are matched, by entry
	// By node: the reach of the player who is updated, that of everyone else, and the
	// player's expected payoff.
	own, others, value []float64
	gain               []float64 // what an action wins more than the strategy, by entry
}

func newTraversal(t *Trainer, a cfr.Algorithm) *traversal {
	nodes := len(t.Game.Nodes)
	v := &traversal{
		Trainer: t, algorithm: a, sigma: make([]float64, t.entries), predicted: t.regret,
		gain: make([]float64, t.entries),
		own:  make([]float64, nodes), others: make([]float64, nodes), value: make([]float64, nodes),
	}
	if a.Predictive {
		v.predicted = make([]float64, t.entries)
	}
	for p := range t.players {
		v.match(p)
	}
	return v
}

// match sets a player's newest strategy.
func (v *traversal) match(player int) {
	for _, set := range v.Sets[player] {
		first, end := v.entriesOf(set)
		match(v.sigma[first:end], v.predicted[first:end])
	}
}

// iterate does an iteration.
func (v *traversal) iterate() {
	for p := range v.players {
		v.down(p)
		v.up(p)
		v.update(p)
		v.match(p)
	}
}

// probability returns the probability of the action that leads to a node that is not the
// root.
func (v *traversal) probability(node int) float64 {
	n := &v.Game.Nodes[node]
	if v.actor[n.Parent] < 0 {
		return v.chance[node]
	}
	return v.sigma[v.entry[n.Parent]+n.Action]
}

// down computes reaches.
func (v *traversal) down(player int) {
	v.own[0], v.others[0] = 1, 1
	for i := 1; i < len(v.Game.Nodes); i++ {
		up := v.Game.Nodes[i].Parent
		v.own[i], v.others[i] = v.own[up], v.others[up]
		if v.actor[up] == player {
			v.own[i] *= v.probability(i)
		} else {
			v.others[i] *= v.probability(i)
		}
	}
}

// up computes values, and the gains of the player's actions.
func (v *traversal) up(player int) {
	clear(v.value)
	clear(v.gain)
	for i := len(v.Game.Nodes) - 1; i >= 0; i-- {
		n := &v.Game.Nodes[i]
		switch v.actor[i] {
		case leaf:
			v.value[i] = v.payoffs[i][player]
		case player:
			for a, c := range n.Children {
				v.gain[v.entry[i]+a] += v.others[i] * (v.value[c] - v.value[i])
			}
		}
		if i > 0 {
			v.value[n.Parent] += v.probability(i) * v.value[i]
		}
	}
}

// update adds the newest strategy of a player to its sum, and its gains to the regrets.
func (v *traversal) update(player int) {
	d := v.algorithm.Discounts(v.Iterations)
	for _, set := range v.Sets[player] {
		first, end := v.entriesOf(set)
		reach := v.own[v.Game.Sets[set].Nodes[0]]
		for e := first; e < end; e++ {
			v.sum[e] = v.sum[e]*d.Average + reach*v.sigma[e]
			decay := d.Negative
			if v.regret[e] > 0 {
				decay = d.Positive
			}
			v.regret[e] = max(v.regret[e]*decay+v.gain[e], d.Floor)
			if v.algorithm.Predictive {
				v.predicted[e] = d.Kept*v.regret[e] + d.Predicted*v.gain[e]
			}
		}
	}
}
