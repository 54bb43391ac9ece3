package gumbel

import (
	"math"

	"gamebots/internal/portable"
	"gamebots/solvers/mcts"
)

// The scale of values beside logits: (visitOffset + the most visits of a move) times the
// probability to win (Danihelka et al., appendix F).
const visitOffset = 50

// choose returns the move of a node whose share of the visits is furthest below its
// probability in the improved policy.
func (s *Search) choose(n *node) int32 {
	if best, ok := s.chooseRoughly(n); ok {
		return best
	}
	return s.chooseExactly(n)
}

// chooseExactly is choose by the bits of the improved policy.
func (s *Search) chooseExactly(n *node) int32 {
	s.scores = s.improved(s.scores[:0], n)
	best, highest := int32(-1), math.Inf(-1)
	for i, p := range s.scores {
		e := &s.edges[n.edges+int32(i)]
		if e.proof != mcts.Unknown {
			continue
		}
		if v := p - float64(e.visits)/float64(1+n.visits); v > highest {
			best, highest = n.edges+int32(i), v
		}
	}
	return best
}

const (
	// roughly bounds the relative error of a probability in chooseRoughly: priors are in
	// single precision.
	roughly = 1e-6
	// leastSum is a sum of priors beside which those that are 0 for being too small are nothing.
	leastSum = 1e-30
)

// chooseRoughly returns what chooseExactly does, or false if moves are too close to each other. It
// is many times as fast, because moves without visits keep the proportions of their priors: only the
// one with the highest can be chosen. The improved policy takes an exponential function of each of
// them, to have the bits of a GPU.
func (s *Search) chooseRoughly(n *node) (best int32, ok bool) {
	edges := s.edges[n.edges:n.end]
	if n.visits == 0 {
		for i := range edges {
			edges[i].prior = float32(portable.FastExp(float64(edges[i].logit - n.highest)))
		}
	}
	s.tried = s.tried[:0]
	untried, priors, first, second := int32(0), 0.0, float32(-1), float32(-1) // the sum, and the highest two
	for i := range edges {
		e := &edges[i]
		switch {
		case e.visits > 0 || e.proof != mcts.Unknown:
			s.tried = append(s.tried, n.edges+int32(i))
			continue
		case e.prior > first:
			untried, first, second = n.edges+int32(i), e.prior, first
		case e.prior > second:
			second = e.prior
		}
		priors += float64(e.prior)
	}
	scale, unvisited := s.scale(n), s.unvisited(n, s.tried)
	s.scores = s.scores[:0]
	highest := float64(n.highest) + scale*unvisited
	for _, i := range s.tried {
		e, score := &s.edges[i], math.Inf(-1)
		switch {
		case !e.valued():
			score = float64(e.logit) + scale*unvisited
		case e.proof != mcts.Loss:
			score = float64(e.logit) + scale*float64(e.mean())
		}
		highest = max(highest, score)
		s.scores = append(s.scores, score)
	}
	factor := portable.FastExp(float64(n.highest) + scale*unvisited - highest)
	sum := factor * priors
	for i, score := range s.scores {
		s.scores[i] = portable.FastExp(score - highest)
		sum += s.scores[i]
	}
	value, bound, others := math.Inf(-1), 0.0, math.Inf(-1) // others are at most so high
	consider := func(move int32, p, share float64) {
		if v := p - share; v > value {
			others = max(others, value+bound)
			best, value, bound = move, v, roughly*p
		} else {
			others = max(others, v+roughly*p)
		}
	}
	if first >= 0 {
		consider(untried, factor*float64(first)/sum, 0)
		others = factor * float64(second) / sum * (1 + roughly)
	}
	for k, i := range s.tried {
		if e := &s.edges[i]; e.proof == mcts.Unknown {
			consider(i, s.scores[k]/sum, float64(e.visits)/float64(1+n.visits))
		}
	}
	return best, sum > leastSum && value-bound > others
}

// improved appends the improved policy of a node, by its moves. Where all of them lose, it is
// that of the node's evaluation.
func (s *Search) improved(to []float64, n *node) []float64 {
	edges := s.edges[n.edges:n.end]
	s.tried = s.tried[:0]
	for i := range edges {
		if edges[i].visits > 0 {
			s.tried = append(s.tried, n.edges+int32(i))
		}
	}
	start, scale, unvisited := len(to), s.scale(n), s.unvisited(n, s.tried)
	highest := math.Inf(-1)
	for i := range edges {
		e, score := &edges[i], math.Inf(-1) // a move that is proved to lose
		switch {
		case n.proof == mcts.Loss:
			score = float64(e.logit)
		case e.proof == mcts.Loss:
		case e.valued():
			score = float64(e.logit) + float64(scale*float64(e.mean()))
		default:
			score = float64(e.logit) + float64(scale*unvisited)
		}
		highest = max(highest, score)
		to = append(to, score)
	}
	sum := 0.0
	for i, score := range to[start:] {
		to[start+i] = portable.FastExp(score - highest)
		sum += to[start+i]
	}
	for i := range to[start:] {
		to[start+i] /= sum
	}
	return to
}

// scale returns the factor of values from -1 to 1 beside the logits of a node.
func (s *Search) scale(n *node) float64 { return float64(visitOffset+n.maxVisits) / 2 }

// unvisited returns the value that a node's moves have before their first visit: the
// node's own evaluation and the visited moves, which are among those tried, by their
// probabilities, together.
func (s *Search) unvisited(n *node, tried []int32) float64 {
	visits, sum, weight := 0.0, 0.0, 0.0
	for _, i := range tried {
		if e := &s.edges[i]; e.values() > 0 {
			p := portable.FastExp(float64(e.logit - n.highest))
			visits += float64(e.values())
			sum += float64(p * float64(e.mean()))
			weight += p
		}
	}
	if visits == 0 || weight == 0 {
		return float64(n.value)
	}
	return (float64(n.value) + float64(visits*sum)/weight) / (1 + visits)
}
