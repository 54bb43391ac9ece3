// Package spot solves spots of no-limit hold'em: what is left of a hand of two players from
// the start of the flop, the turn or the river on, with exact cards.
//
// A [Spot] is public: the board, the pot, the stacks and the bets that a [Menu] allows,
// together with the range that each player comes with. A [Solver] improves the strategies
// of both players, an iteration at a time, by a variant of CFR of package cfr. Its [Solution]
// says what best responses would gain ([Solution.Evaluate]) and what the players do at any point
// ([Solution.At]). The example goes through all of it: a spot, its memory, solving and reading.
//
// Cards are never put into buckets. Deals that differ only in the names of suits, in a way
// that neither the board nor a range can tell, are computed once. Memory is for the hands
// that a range has and that the board leaves, so that narrow ranges are solved faster.
//
// [Solver.StartFrom] starts from the solution of the same public state for other ranges.
//
// [Spot.Continued] values the hands of a flop on sampled turns and rivers, by a strategy for the whole hand, as an
// [Offer] to a player.
//
// The results have the same bits for any number of threads, and with and without AVX2 and
// AVX-512, and on a GPU: Options.Device takes one of package ondevice.
//
// The tables that a solver and a device read, and the loops over hands, are package layout.
//
// docs/api.txt lists the names of this package that are kept.
package spot
