// Package playout rates the moves of a Havannah position by random games.
//
// [Rate] plays equally many playouts after every legal move and counts the wins, losses
// and draws of the player who moved. It does what rateGame of the program HavannahCUDA
// does (P. Werner, Hochparallele Monte-Carlo-Evaluation auf CUDA, HTWK Leipzig 2012), but
// with the rules of package havannah: that program's cell lists end one game in ten at a
// wrong move.
//
// [Position] plays single playouts from positions near each other, for tree searches.
//
// # Specification of a playout
//
// The counts depend on the position, the number of playouts and the seed alone, and are
// the same on every device and for any number of threads. They are defined as follows:
//
//  1. The rated move is made. If it ends the game, that is the result of all its
//     playouts.
//  2. The empty cells are listed in the order of their numbers, row by row from
//     a1 = 0. There are n.
//  3. Players take turns. For ply i = 0, 1, 2, … a number j from 0 to n-i-1 is
//     drawn, the player puts a stone on cell j of the list, and the last cell of the
//     list takes its place. Nobody swaps.
//  4. The game ends with the first stone that completes a structure, or when the
//     list is empty.
//
// A word of 64 bits, a fraction w of 2^64, serves for four draws: j is the integer part
// of w·(n-i), and the fractional part is the w of the next draw. Plies 4k to 4k+3 use
// word k. This changes the probability of an order of cells by a factor of at most
// 1 ± n⁴/2^64 per word, which is 3·10⁻⁹ on the largest board.
// Words 2b and 2b+1 are the halves of block b of Philox4x32-10, low bits first,
// the lower half with the first two numbers of the four:
//
//	counter  b, playout, playout >> 32, move    (32 bits each)
//	key      seed, seed >> 32
//
// Playouts of a move are numbered from 0. The number of a move is that of its cell, and
// a swap has the number of cells.
//
// # Devices
//
// [Start] is a position after a move. Any number of players can play from it: a [Player]
// plays on one thread of the CPU. A [Device] plays on a GPU, after all moves of a
// position at once. Tallies are sums of integers, so the work can be divided in any way
// and its parts may finish in any order.
//
// On the CPU a stone takes nanoseconds: its neighbours are three rows of bits, and a
// table has the groups that each pattern of neighbours joins; see stones.go.
//
// A thread of a GPU plays one playout, and the number of threads is bounded by the shared
// memory that each needs. A thread therefore draws the whole order of cells first, and
// stores it in global memory, where reading it in sequence is cheap. It then reuses the
// list's shared memory for the stones, 4 bytes for three cells: see
// cudalib/havannahgpu/board.cuh of cudalib. White's stones do not affect black's, so it puts two
// stones at a time.
package playout
