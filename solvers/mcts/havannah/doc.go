// Package havannah adapts Havannah to the tree search of package mcts: proofs that are
// seen without a search, priors of moves, and playouts.
//
// # Proofs
//
// When a position is expanded, two plies are examined. A move that completes a structure
// wins. If the opponent could complete one on a single cell, that cell is the only move;
// if on two, the position is lost.
//
// When a position is studied (see mcts.Options.ProofAfter), two more plies are examined,
// by the pairs of cells on which two stones complete a structure. A cell in two pairs
// makes a double threat, and wins. If the opponent has such a cell, a move loses unless
// it takes that cell, takes one of exactly two cells that it threatens, or makes a
// threat.
//
// # Priors
//
// A move gets a bonus for each own stone beside it, for each edge and corner that its
// group would be connected to, and for completing a bridge between two own stones that
// the opponent's last stone threatens to cut (R. Lorentz, Improving Monte-Carlo tree
// search in Havannah, 2010; T. Ewalds, Playing and solving Havannah, 2012). [Weights]
// has their sizes.
//
// # Networks
//
// A game with a network (see [NewAdvisedGame]) asks it about the nodes for which
// mcts.Options.AdviseAfter pays. A move gets a bonus of its probability times Params.Policy.
//
// # Playouts
//
// Playouts are those of package playout, with two changes: a ring counts only if it has
// enough stones that were on the board before the playout, and optionally a player
// whose bridge is threatened keeps it. See [playout.Position.Rollout].
//
// # Evaluators
//
// A [Game] is the first argument of [mcts.New]. The second is an [Evaluator], on threads
// of the CPU, or a [Device], on a GPU; both give the same results. A GPU plays a block of
// playouts from each leaf, so the tree on the host is the bottleneck: see
// cudalib/havannahgpu/leaves.cu of cudalib.
package havannah
