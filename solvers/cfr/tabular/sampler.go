package tabular

import (
	"gamebots/internal/rng"
	"gamebots/solvers/nash/extensive"
)

// External is the algorithm that samples chance and the other players' actions, and tries all of the player
// who is updated (Lanctot, Waugh, Zinkevich and Bowling, "Monte Carlo sampling
// for regret minimization in extensive games", NIPS 2009).
const External = "external"

// A sampler updates regrets from sampled parts of the tree. Every traversal has its own
// stream of random numbers.
type sampler struct {
	*Trainer
	*tree
	seed   uint64
	random rng.Stream
	player int // who is updated
	next   int // whose strategies are summed up
	// By entry, for the information sets on the path: with perfect recall it meets each at
	// most once.
	sigma, gain []float64
}

func newSampler(t *Trainer, seed uint64) *sampler {
	n := t.entries()
	return &sampler{
		Trainer: t, tree: newTree(t.layout), seed: seed, sigma: make([]float64, n), gain: make([]float64, n),
	}
}

// iterate does an iteration.
func (s *sampler) iterate() {
	for p := range s.players {
		s.player, s.next = p, (p+1)%s.players
		s.random = rng.Stream(rng.At(s.seed, s.done*uint64(s.players)+uint64(p)))
		s.visit(0, 1)
	}
}

// match returns the newest strategy at a node, with its first entry.
func (s *sampler) match(node int) (sigma []float64, first int) {
	first = s.entry[node]
	end := first + len(s.Game.Nodes[node].Children)
	match(s.sigma[first:end], s.regret[first:end], 0)
	return s.sigma[first:end], first
}

// draw returns an action by probabilities.
func (s *sampler) draw(probability func(action int) float64, actions int) int {
	drawn, u := 0, s.random.Float64()
	for a := range actions {
		if p := probability(a); p > 0 {
			drawn = a
			if u -= p; u < 0 {
				break
			}
		}
	}
	return drawn
}

// chanceChild returns the node after a chance move.
func (s *sampler) chanceChild(node int) int {
	children := s.Game.Nodes[node].Children
	return children[s.draw(func(a int) float64 { return s.chance[children[a]] }, len(children))]
}

// visit returns the sampled value of a node to the player. Weight is 1 over the
// probability with which the actions were sampled of everyone but the player and the
// next one. With it, every strategy of the next player counts in proportion to that
// player's own reach.
func (s *sampler) visit(node int, weight float64) float64 {
	switch s.actor[node] {
	case leaf:
		return s.payoffs[node][s.player]
	case extensive.Chance:
		return s.visit(s.chanceChild(node), weight)
	}
	sigma, first := s.match(node)
	children := s.Game.Nodes[node].Children
	if s.actor[node] == s.player {
		mean := 0.0
		for a, c := range children {
			s.gain[first+a] = s.visit(c, weight)
			mean += sigma[a] * s.gain[first+a]
		}
		for a := range children {
			s.regret[first+a] += s.gain[first+a] - mean
		}
		return mean
	}
	drawn := s.draw(func(a int) float64 { return sigma[a] }, len(sigma))
	if s.actor[node] == s.next {
		for a, p := range sigma {
			s.sum[first+a] += weight * p
		}
	} else {
		weight /= sigma[drawn]
	}
	return s.visit(children[drawn], weight)
}
