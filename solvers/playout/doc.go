// Package playout rates the moves of a Havannah position by random games.
//
// [Rate] plays a number of playouts after every legal move and counts wins,
// losses and draws of the player who moved, as rateGame of the program
// HavannahCUDA does (P. Werner, Hochparallele Monte-Carlo-Evaluation auf CUDA,
// HTWK Leipzig 2012), with the rules of package havannah: that program's own
// lists of cells end one game in ten at a wrong move.
//
// # A playout, exactly
//
// The counts of a position, a number of playouts and a seed are the same bits on
// every device and for any number of threads. They follow from this alone:
//
//  1. The move that is rated is made. If that ends the game, all its playouts
//     end so.
//  2. The empty cells are listed in the order of their numbers, row by row from
//     a1 = 0. There are n.
//  3. Players take turns. For ply i = 0, 1, 2, … a number j from 0 to n-i-1 is
//     drawn, the player takes the cell at place j of the list, and the last cell
//     of the list comes to its place. Nobody swaps.
//  4. The game ends with the first stone that completes a structure, or when the
//     list is empty.
//
// Draws come four from a word of 64 bits, a fraction w of 2^64: j is the whole
// part of w·(n-i), and what remains of w is the fraction of the next draw. Plies
// 4k to 4k+3 use word k, so an order of cells is off its probability by no more
// than a factor of 1 ± n⁴/2^64 a word, which is 3·10⁻⁹ on the largest board.
// Words 2b and 2b+1 are the halves of block b of Philox4x32-10, low bits first,
// the lower half with the first two numbers of the four:
//
//	counter  b, playout, playout >> 32, move    (32 bits each)
//	key      seed, seed >> 32
//
// Playouts of a move are numbered from 0, the move is its cell's number, and a
// swap has the number of cells as its own.
//
// # Devices
//
// [Start] is a position after a move, which any number of [Player] play from; one
// plays on one thread of a CPU. A [Device] plays on a GPU, after all moves of a
// position at once. Tallies are sums of integers, so shares of the work can have
// any size and come back in any order.
//
// On a CPU a playout is a matter of nanoseconds a stone, so a stone's neighbours
// are three rows of bits and a table tells what it joins; see stones.go.
//
// A thread of a GPU plays a playout, and how many fit into the shared memory of
// a multiprocessor says how well it is used. A thread therefore draws the whole
// order first and leaves it in global memory, where reading it is cheap, and then
// has the list's memory for the stones: 4 bytes for three cells, see
// kernels/havannah.cuh of cudalib. White's stones and black's have nothing to do
// with each other, so that it puts two at a time.
package playout
