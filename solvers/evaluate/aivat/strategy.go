package aivat

import (
	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/policy"
)

// Strategy is a strategy as it is played. It does not change after it is made and may be
// shared.
type Strategy struct {
	*policy.Index
	// probability of action a in bucket b of a decision is at
	// Entry[node] + a*buckets + b. It is nil if only played knows them.
	probability []float64
	played      belief.Probabilities
	newPlayer   func() (belief.Player, error) // see PlayedBy
}

// newStrategy returns a strategy of weights in memory. play is as in ReadStrategy.
func newStrategy(x *policy.Index, weights []float32, play func([]policy.Choice)) *Strategy {
	s := &Strategy{Index: x, probability: policy.Played[float64](x, weights, play)}
	s.played = func(dst []float64, node int32, bucket int) ([]float64, error) {
		for a := range int(x.Tree.Nodes[node].NumActions) {
			dst = append(dst, s.of(node, a)[bucket])
		}
		return dst, nil
	}
	return s
}

// ReadStrategy reads a whole policy. play, if not nil, changes the probabilities of every
// information set to those that the player plays; they need not sum to one. An estimate
// is right only for the probabilities that were played.
func ReadStrategy(p *policy.Policy, play func([]policy.Choice)) (*Strategy, error) {
	if p.Tree.Shape.Betting.All() && p.Tree.Game.NumPlayers == 2 { // exact values need a node for each betting sequence
		var err error
		if p, err = p.Full(memory.Available()); err != nil {
			return nil, err
		}
	}
	weights, err := p.Weights()
	if err != nil {
		return nil, err
	}
	return newStrategy(p.Index, weights, play), nil
}

// MaxRead is the number of probabilities of the largest strategy that OpenStrategy reads.
const MaxRead = 8_000_000

// OpenStrategy is ReadStrategy for estimates of few hands. Of a large policy, which must stay
// open, it reads only what they need, when they need it; estimates then value hands by
// showdowns.
func OpenStrategy(p *policy.Policy, play func([]policy.Choice)) (*Strategy, error) {
	if p.Entries <= MaxRead {
		return ReadStrategy(p, play)
	}
	return &Strategy{Index: p.Index, played: belief.Played(p, play)}, nil
}

// PlayedBy returns the strategy of a player that does more than to look into a file, such as
// solving rounds in play. newPlayer makes players that say what they do with each hand; each is
// used by one goroutine at a time. Estimates value hands by showdowns.
func PlayedBy(g *acpc.Game, newPlayer func() (belief.Player, error)) *Strategy {
	return &Strategy{Index: &policy.Index{Tree: &betting.Tree{Game: g}}, newPlayer: newPlayer}
}

// player returns a player of the strategy.
func (s *Strategy) player() (belief.Player, error) {
	if s.newPlayer != nil {
		return s.newPlayer()
	}
	return belief.NewStrategy(s.Index, s.played), nil
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
