// Package pcs trains games of two players by public chance sampling with any card abstraction
// and any raises, on a CPU or a GPU (Johanson, Bard, Lanctot, Gibson and Bowling, "Efficient Nash
// equilibrium approximation through Monte Carlo counterfactual regret minimization", AAMAS
// 2012).
//
// An iteration plays the whole betting tree on a board, with all hands that it leaves. A
// batch of boards updates both players in turn, each against the other's newest strategy.
// Three things differ from the public sampling of package mccfr:
//
//   - Boards are not drawn: a random order goes through all of them before one comes again.
//   - The segments of a betting round are the lanes of vector operations: all of them in a limit
//     game, those with the same decisions, a part of the round, in a no-limit game. Regrets are
//     by bucket, column (an action at a decision of a segment) and lane, so that the hands of a
//     board read rows of memory, whatever their buckets are.
//   - What the boards of a batch bring a bucket is added up in their order, before its regrets
//     are changed once. Results have the same bits on a CPU with any number of threads and on
//     a GPU.
//
// Where a player is all-in, hands are worth what they win on the rest of the sampled board.
//
// The players may have different card abstractions and raises. A [Pair] of trainings has each learn
// against an opponent with others.
//
// A [Method] says how batches are weighted.
package pcs
