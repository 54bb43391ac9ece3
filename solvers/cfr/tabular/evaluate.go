package tabular

import (
	"slices"

	"gamebots/solvers/nash/extensive"
)

// Evaluate returns what each player expects to win with the average strategies, and what a best
// response to those of the others gains. [extensive.Sequences.Gains] computes the same in fractions,
// which takes hundreds of times as long.
func (t *Trainer) Evaluate() (values, gains []float64) {
	average := t.average()
	for player := range t.players {
		value, best := t.evaluate(player, average)
		values, gains = append(values, value), append(gains, max(best-value, 0))
	}
	return values, gains
}

// average returns the probabilities of the average strategies by entry.
func (t *Trainer) average() []float64 {
	average := make([]float64, t.entries)
	for set, s := range t.Profile() {
		for a, p := range s {
			average[t.first[set]+a], _ = p.Float64()
		}
	}
	return average
}

// evaluate returns what a player wins with a strategy, and what a best response wins, if the others
// keep to theirs.
func (t *Trainer) evaluate(player int, strategy []float64) (value, best float64) {
	g := t.Game
	reach := make([]float64, len(g.Nodes))   // the probability of all moves to a node
	others := make([]float64, len(g.Nodes))  // the probability of the others' moves to it
	wins := make([]float64, t.Count[player]) // winnings after each sequence of the player
	for i := range g.Nodes {
		reach[i], others[i] = 1, 1
		if up := g.Nodes[i].Parent; up != extensive.None {
			p := t.chance[i]
			if t.actor[up] != extensive.Chance {
				p = strategy[t.entry[up]+g.Nodes[i].Action]
			}
			reach[i], others[i] = p*reach[up], others[up]
			if t.actor[up] != player {
				others[i] *= p
			}
		}
		if t.actor[i] == leaf {
			value += reach[i] * t.payoffs[i][player]
			wins[t.Of[player][i]] += others[i] * t.payoffs[i][player]
		}
	}
	for _, set := range slices.Backward(t.Sets[player]) {
		first := t.First[set]
		wins[t.Parent[set]] += slices.Max(wins[first : int(first)+len(g.Sets[set].Actions)])
	}
	return value, wins[0]
}
