// Package bestresponse computes the exact best responses to a strategy in a game of two players,
// hold'em included, without any abstraction of cards. In a no-limit game they have the raises of the
// strategy's betting tree.
//
// A game is too large to list its boards and hands with all betting sequences, so the work
// is done board by board, with vectors over hands and betting sequences (Johanson et al.,
// "Accelerating best response calculation in large extensive games", IJCAI 2011):
//
//   - Boards that a renaming of the suits turns into each other are valued once, and
//     counted as often as they occur, if the strategy cannot tell them apart.
//   - A showdown takes time linear in the hands, which are sorted by rank. The reach of
//     the worse hands is a running sum, and sums by card leave out those that share one.
//   - Segments of a betting round that have the same decisions are the lanes of vector
//     operations; a GPU gives each a thread. In a limit game these are all segments of a round,
//     in a no-limit game each round has some such parts (package segment). Where a player is
//     all-in, one more part has the rounds that are still dealt, and a showdown in the last.
//     Segments that the opponent never plays to are left out.
//
// A [Response] divides the work into parts, one a board of the second round. [Response.Value]
// values parts on the CPU, [Response.ValueOn] on GPUs,
// which package ondevice opens; sums are in a fixed order, so that
// both have the same bits on any number of threads and devices. A [Save] keeps finished
// parts in a file. [Response.Total] adds all parts up, and a [Sample] estimates a lower bound
// from some of them.
//
// A [Game] and its [Valuer] are how the last round is laid out, on the CPU and on a device.
//
// The last round is computed in 32 bits and all others in 64. Results agree with the
// evaluator of package publictree to a millionth of the largest blind where that fits into memory;
// with deep stacks, where values are many blinds, to a millionth of the value.
package bestresponse
