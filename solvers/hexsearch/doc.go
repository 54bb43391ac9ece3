// Package hexsearch adapts Havannah to three packages that know no game. For the tree search of package mcts it has
// proofs that are seen without a search, priors of moves, and playouts; for package hexnet, what a position is to a
// network; and for package gumbel, searches by such a network.
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
// search in Havannah, 2010; T. Ewalds, Playing and solving Havannah, 2012).
//
// # Networks
//
// A game with a network (see [NewAdvisedGame]) asks it about the nodes for which
// mcts.Options.AdviseAfter pays. A move gets a bonus of its probability.
//
// # Playouts
//
// Playouts are those of package playout, but a ring counts only if it has enough stones
// that were on the board before the playout. See [playout.Position.Rollout].
//
// # Evaluators
//
// A [Game] is the first argument of [mcts.New]. The second is an [Evaluator], on threads
// of the CPU, or a [LeafDevice], on a GPU; both give the same results. A GPU plays a block of
// playouts from each leaf, so the tree on the host is the bottleneck: see
// cudalib/havannahgpu/leaves.cu of cudalib.
//
// # Positions for a network
//
// [ShapeOf] is the shape of a board, and an [Encoder] makes its planes. [Turn] turns and
// reflects planes, policies and all else that is known of cells, as the board.
//
// # Search by a network
//
// A [Search] is a gumbel.Search with the proofs above. It encodes the positions that the network must evaluate, and
// reads the answers:
//
//	s.Start(board, 32, random)
//	for s.Next() {
//		planes = append(planes, s.Planes()...)
//		… // many searches share a batch
//		s.Set(&outputs, i)
//	}
//
// A search alone makes batches of its own: [Search.NextBatch] goes to several positions, and
// describes them on threads. A [Device] has many searches on a GPU.
//
// With a random stream, the network sees each position under one of the twelve symmetries
// of the board.
//
// The network knows no swap: it says who wins if all stones stay as they are. Exchanging
// the colours of the only stone exchanges the players. So the value of a position with a
// swap is the absolute value of what the network says, and its policy is to swap if the
// player to move would rather lose. [FirstStone] chooses the first stone of such a game.
package hexsearch
