// Package havannah is what a tree search knows of Havannah: proofs that are seen
// without searching, priors of moves, and how random games are played.
//
// # Proofs
//
// When a position is expanded, two plies are looked at. A move that completes a
// structure wins. Where the opponent could complete one in a single place, that
// place is the only move; where in two, the position is lost.
//
// Where a search studies positions, two plies more are looked at, by the pairs of cells on
// which two stones complete a structure. A move that is in two pairs makes two
// threats at once and wins. Where the opponent has such a move, all lose that neither
// take its cell, nor one of just two that it threatens, nor make a threat.
//
// # Priors
//
// A move gets a bonus for each of these (R. Lorentz, Improving Monte-Carlo tree
// search in Havannah, 2010; T. Ewalds, Playing and solving Havannah, 2012):
// own stones near it; edges and corners that its group would be connected to; a
// bridge between two own stones that the opponent's last stone threatens to cut.
// [Weights] says how much.
//
// # Random games
//
// They are those of package playout, but rings count only with so many stones
// that stood on the board before, and a player whose bridge is threatened may keep
// it: see [playout.Position.Rollout].
//
// [Game] is one half of what [mcts.New] asks for. The other is an [Evaluator] on
// threads of a CPU or a [Device] on a GPU, with the same results. A GPU plays a
// block of games from each leaf, so that the tree on the host is what bounds it:
// see kernels/havannah_leaves.cu of cudalib.
package havannah
