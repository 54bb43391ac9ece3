// Package gumbel searches two-player games with few evaluations of positions, by a policy
// and a value that were learned (I. Danihelka et al., Policy improvement by planning with
// Gumbel, ICLR 2022).
//
// A [Search] asks for one evaluation at a time and does not call the evaluator itself, so
// that many searches can share the batches of a network:
//
//	s.Start(expander, 32, random)
//	for path, ok := s.Next(); ok; path, ok = s.Next() {
//		s.Evaluate(network.Evaluate(path))
//	}
//	move, target := s.Best(), s.Policy(nil)
//
// Positions after different moves of the root can wait for a batch together: Next is called
// until it reports false, and then Evaluate for each of them in order. With [Search.InFlight],
// several positions after the same move can: their visits count at once, so that the next ones are
// chosen elsewhere, and their values when they come.
//
// # The root
//
// Without a random stream, the moves with the highest logits are considered. With one, a
// Gumbel variable is added to each logit first, so that the moves are sampled without
// replacement by the policy. Sequential halving shares out the simulations: each round
// visits the moves that are left equally often, and drops the half with the lower sum of
// variable, logit and value.
//
// # Below the root
//
// A node chooses the move whose share of the visits is furthest below its probability in
// the improved policy. That policy is the softmax of the logits plus the values of the moves
// on a scale that grows with the visits. A move that was not visited has the value that
// the node's evaluation and its visited moves suggest together. [Search.Policy] returns the
// improved policy of the root, which is the target of learning.
//
// # Proofs
//
// Positions and moves are those of package mcts. What its [mcts.Expander] proves is
// propagated: a proved move is not tried again, and a search ends when its root is proved.
// Neither a proved position nor a forced move costs an evaluation.
package gumbel
