package aivat

import (
	"fmt"

	"gamebots/acpc/card"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
)

// Strategy is a strategy in memory, as it is played. It does not change after it is
// made and may be shared.
type Strategy struct {
	*cfr.Index
	// probability of action a in bucket b of a decision is at
	// Entry[node] + a*buckets + b.
	probability []float64
}

// ReadStrategy reads a whole policy. play, if not nil, changes the probabilities of every
// information set to those that the player plays; they need not sum to one. An estimate
// is right only for the probabilities that were played.
func ReadStrategy(p *cfr.Policy, play func([]cfr.Choice)) (*Strategy, error) {
	if !p.Tree.Shape.Betting.All() {
		return nil, fmt.Errorf("the strategy has only the raises %s: how it mapped others is not known afterwards", p.Tree.Shape.Betting)
	}
	weights, err := p.Weights()
	if err != nil {
		return nil, err
	}
	return newStrategy(p.Index, weights, play), nil
}

// newStrategy turns weights, in the order of [cfr.Policy.Weights], into probabilities.
func newStrategy(x *cfr.Index, weights []float32, play func([]cfr.Choice)) *Strategy {
	s := &Strategy{Index: x, probability: make([]float64, len(weights))}
	var choices []cfr.Choice
	for i := range x.Tree.Nodes {
		n := &x.Tree.Nodes[i]
		if n.Kind != betting.Decision {
			continue
		}
		stride := x.Buckets.NumBuckets(int(n.Round))
		for b := range stride {
			choices = choices[:0]
			for a := range int(n.NumActions) {
				choices = append(choices, cfr.Choice{Action: x.Tree.Nodes[int(n.First)+a].Action, Probability: weights[x.Entry[i]+a*stride+b]})
			}
			if play != nil {
				play(choices)
			}
			total := 0.0
			for _, c := range choices {
				total += float64(c.Probability)
			}
			for a, c := range choices {
				p := 1 / float64(len(choices))
				if total > 0 {
					p = float64(c.Probability) / total
				}
				s.probability[x.Entry[i]+a*stride+b] = p
			}
		}
	}
	return s
}

// of returns the probabilities of an action by bucket.
func (s *Strategy) of(node int32, action int) []float64 {
	stride := s.Buckets.NumBuckets(int(s.Tree.Nodes[node].Round))
	return s.probability[s.Entry[node]+action*stride:][:stride]
}

// bucket returns the bucket of a hand on a board, or -1 for impossible cards.
func (s *Strategy) bucket(round int, board [4]card.Set, hole card.Set) int {
	return s.Buckets.Bucket(round, abstraction.Deal{Board: board, Hole: hole})
}
