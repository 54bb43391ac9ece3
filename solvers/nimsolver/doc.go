// Package nimsolver solves Nim on CPUs and GPUs, faster than the game-independent
// search of gamebots/solvers/minimax.
//
//   - [Search] is an alpha-beta search of limited depth on one core, with or without
//     a transposition table.
//   - [Solve] finds the same value and move by boolean searches, which use all cores.
//   - [NewTable] solves all positions of a board by retrograde analysis. A [Table]
//     then answers every position at once.
//   - A [Device] does all of this on a GPU. Its [Version] 1 to 4 are the four
//     programs of F. Fiorella (Parallel MinMax for Nim, Politecnico di Torino), and 5
//     is Solve.
//
// # Searching to a depth
//
// Value and move do not depend on the search: the move is the first of the best ones,
// heap by heap, fewest sticks first. A position whose game does not end within the
// depth is [Unknown], between [Loss] and [Win].
//
// Nodes are counted as in gamebots/solvers/minimax with an infinite window: each
// position that a move leads to, each time it is visited.
//
// Solve has no windows. Whether the player to move can force a win within the depth
// is an AND/OR tree, and whether each of his moves can be refuted is another below
// it. Each of these searches stops at the first answer, so that all of them
// together visit about as many nodes as alpha-beta with perfect bounds, and they are
// independent of each other. The first three plies are spread over the threads: all
// moves of the first and third ply at once, and those of the second, where one
// suffices as a refutation, in stages that double. A thread gives up its part when
// another has found the answer. The number of nodes therefore varies; value and move
// do not.
//
// # Solving whole boards
//
// A row of the table is 16 bits: the positions that differ in the largest heap. A bit
// is set if the player to move loses. Without a limit of sticks per move at most one
// position of a row is lost, as one is a move away from another. A row is computed
// from the rows that a move in another heap leads to: positions that are lost there
// are won here, and of the others the smallest is lost, and with a limit also those
// out of its reach. The heaps that are next in size make up a tile of rows, which
// one core or one block of a GPU solves. Tiles with the same number of sticks in the
// other heaps are independent of each other. The table has one bit per position: 512
// MiB for eight full heaps.
package nimsolver
