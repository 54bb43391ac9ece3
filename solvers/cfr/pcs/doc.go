// Package pcs trains two-player games by public chance sampling with any card abstraction
// and any raises, on a CPU or a GPU (Johanson, Bard, Lanctot, Gibson and Bowling, "Efficient Nash
// equilibrium approximation through Monte Carlo counterfactual regret minimization", AAMAS
// 2012).
//
// An iteration plays the whole betting tree on a board, with all hands that it leaves. A
// batch of boards updates both players in turn, each against the other's newest strategy.
// Three things differ from the public sampling of package mccfr:
//
//   - Boards are not drawn independently: they come in a random order, and none comes again
//     before all have come.
//   - The segments of a betting round are the lanes of vector operations: all of them in a limit
//     game, those with the same decisions, a part of the round, in a no-limit game. Regrets are
//     by bucket, column (an action at a decision of a segment) and lane, so that the hands of a
//     board read rows of memory, whatever their buckets are.
//   - The updates of a bucket by the boards of a batch are summed in the order of the boards,
//     and then applied to its regrets once. Results have the same bits on a CPU with any number
//     of threads and on a GPU.
//
// If a player is all-in, the values of hands are what they win on the rest of the sampled
// board.
//
// The players may have different card abstractions and raises: a [Pair] of trainings trains
// each player against an opponent with another abstraction.
//
// A [Method] says how batches are weighted.
package pcs
