// Package minimax solves games of two players with perfect information, whatever
// they are: forwards with [Search], backwards with [Backward].
//
// Search is minimax, by default with alpha-beta pruning, over a [Game] that
// lists, makes and takes back moves and scores positions. It keeps its stack
// itself, and knows
//
//   - a limit of the depth, and deepening up to it;
//   - a transposition table, for games that are [Keyed];
//   - what is proven, which a score at the limit of the depth is not;
//   - and one core or many, with the same result.
//
// Backward goes through all positions of a [Space] from the ends of the game.
//
// # Nodes
//
// Every position that a move leads to counts as a node, each time that it is
// looked at; the root is not counted. The end of a game is recognised before the
// limit of the depth. A move is the last one tried when alpha is at least beta.
// With [Options.Unbounded] the first window is infinite, so that the search does
// not stop at a proven win: plain alpha-beta as textbooks have it (D. Knuth and
// R. Moore, An analysis of alpha-beta pruning, 1975).
//
// # Values of a limited depth
//
// A score at a depth is that of the tree cut off there, with or without a table:
// the table's entries count for their own depth only, and those of others tell
// no more than which move to try first. So all ways to search to a depth agree
// in the score, and in the move, which is the first in the game's order of those
// with the best score, unless [Options.Deepen] tries another first.
//
// Nothing here logs or reads a clock; a context ends a search early.
package minimax
