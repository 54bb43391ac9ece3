// Package minimax solves two-player games of perfect information: by tree search with [Search].
//
// Search is alpha-beta over a [Game], which lists, makes and unmakes moves and scores
// positions. It has
//
//   - a depth limit, and iterative deepening;
//   - a transposition table, for games that are [Keyed];
//   - proofs: a score is proven unless it depends on the depth limit;
//   - a split of the root's moves over threads.
//
// # Nodes
//
// Every position that a move leads to counts as a node, each time it is visited; the
// root does not count. A finished game is recognised before the depth limit. No
// further move is tried once alpha is at least beta. With [Options.Unbounded] the
// first window is infinite, so that the search does not stop at a proven win: the
// alpha-beta of the textbooks (D. Knuth and R. Moore, An analysis of alpha-beta
// pruning, 1975).
//
// # Limited depth
//
// The score at a depth is that of the tree cut off there, with or without a table.
// Entries of the table count for their own depth only; those of other depths only
// order moves. So all searches to a depth agree on the score and on the move: the
// first in the game's order of those with the best score, unless [Options.Deepen]
// tries another first.
//
// # Games
//
// [Havannah] and [Nim] adapt games of the board family. Tests compare the faster solvers/nimsolver with the latter.
package minimax
