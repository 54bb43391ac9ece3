package aivat

import (
	"gamebots/acpc/card"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
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
	if p.Tree.Shape.Betting.All() { // exact values need a node for each betting sequence
		var err error
		if p, err = p.Full(memory.Available()); err != nil {
			return nil, err
		}
	}
	weights, err := p.Weights()
	if err != nil {
		return nil, err
	}
	return &Strategy{p.Index, cfr.Played[float64](p.Index, weights, play)}, nil
}

// of returns the probabilities of an action by bucket.
func (s *Strategy) of(node int32, action int) []float64 {
	stride := s.Buckets.NumBuckets(int(s.Tree.Nodes[node].Round))
	return s.probability[s.Entry(node)+action*stride:][:stride]
}

// bucket returns the bucket of a hand on a board, or -1 for impossible cards.
func (s *Strategy) bucket(round int, board [4]card.Set, hole card.Set) int {
	return s.Buckets.Bucket(round, abstraction.Deal{Board: board, Hole: hole})
}
