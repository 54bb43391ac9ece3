// Package nimsolver solves Nim: what gamebots/solvers/minimax does for any game, for
// one game as fast as it goes, on CPUs and GPUs.
//
//   - [Search] looks ahead a number of plies by alpha-beta on one core, with or
//     without a transposition table.
//   - [Force] asks in two searches what alpha-beta asks in one, and so can use
//     all cores.
//   - [Solve] finds out which positions of a whole board are lost, from the end
//     of the game back. A [Table] answers every later move at once.
//   - A [Device] does all of this on a GPU: the four ways of F. Fiorella
//     (Parallel MinMax for Nim, Politecnico di Torino), [Version] 1 to 4, Force
//     as version 5, and Solve.
//
// # Looking ahead
//
// Values at a depth are the same whatever finds them, and so are moves: the
// first of the best, heap by heap, fewest sticks first. A position whose game
// does not end within the depth is [Unknown], which is between [Loss] and [Win].
//
// Nodes are counted as in gamebots/solvers/minimax, with an infinite window:
// every position that a move leads to counts, each time. Nothing is counted that
// was not looked at.
//
// Force does not know the words alpha and beta. Whether the player to move can
// force a win within a depth is a tree of ands and ors, and whether he can be
// made to lose is such a tree below each of his moves. A search of either goes
// on only for as long as it must, so that both together visit about as many
// nodes as alpha-beta with perfect bounds; and the parts are independent of each
// other. The first three plies are shared out: for all moves of the first and
// the third ply at once, and for those of the second, which are answers and of
// which one is enough, one after the other in steps that double. A thread gives
// up its part when another has found the answer, so that the number of nodes is
// not always the same; the value and the move are.
//
// # Solving whole boards
//
// A row is what the largest heap can be while the others stay: 16 positions, as
// 16 bits of which 1 means lost. No two positions of a row are lost without a
// limit, since one is a move from the other. A row needs only the rows that a
// move in another heap leads to: what is lost there is won here, and of the rest
// the smallest is lost, with a limit also those beyond its reach. So rows are
// solved in an order in which moves lead back, and nothing is used but the
// definition of a lost position. The three next largest heaps make up a tile of
// rows, which a core or a block of a GPU solves by itself; tiles that are as many
// sticks away from the end are independent of each other. The table has a bit a
// position: 512 MiB for all of eight heaps.
//
// Nothing here logs or reads a clock; a context ends a search early.
package nimsolver
