// Package boardwise trains limit games of two players whose strategies fill the memory of a
// GPU, and values them exactly.
//
// It is counterfactual regret minimisation in vector form, as in package cfr, which goes
// through the public tree and has vectors over the hands of all boards at each node. Here a
// board is the unit of work: all segments of a betting round have the same decisions in a
// limit game, and are the lanes of vector operations. On one board a tile of lanes is valued
// and updated from the last decision to the first, with few vectors over the hands of that
// board. Beside regrets and strategies little memory is needed:
//
//   - Down the rounds, the reach of both players at the start of each round, by hand of the
//     round before and lane.
//   - Up the rounds, the values of each board, and their means over the boards that follow a
//     board. Sums are in a fixed order.
//
// Boards and hands are those of the lossless [abstraction.Cards]: what a renaming of the
// suits turns into each other is one.
//
// Regrets and sums of strategies take 32 bits, or 16: floats without a sign that are rounded
// at random, so that small changes are kept on average. The random bits are a function of the
// place and the iteration. Results have the same bits on a CPU with any number of threads and
// on a GPU.
package boardwise
