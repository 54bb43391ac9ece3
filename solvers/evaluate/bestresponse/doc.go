// Package bestresponse computes the exact best responses to a strategy in a limit game of
// two players, hold'em included, without any abstraction of cards.
//
// A game is too large to list its boards and hands with all betting sequences, so the work
// is done board by board, with vectors over hands and betting sequences (Johanson et al.,
// "Accelerating best response calculation in large extensive games", IJCAI 2011):
//
//   - Boards that a renaming of the suits turns into each other are valued once, and
//     counted as often as they occur, if the strategy cannot tell them apart.
//   - A showdown takes time linear in the hands, which are sorted by rank. The reach of
//     the worse hands is a running sum, and sums by card leave out those that share one.
//   - All segments of a betting round have the same decisions in a limit game. They are
//     the lanes of vector operations; a GPU gives each a thread. Segments that the
//     opponent never plays to are left out.
//
// A [Response] divides the work into parts, one a board of the second round. [Response.Value]
// values parts on the CPU, [Response.ValueOn] on GPUs,
// which package ondevice opens; sums are in a fixed order, so that
// both have the same bits on any number of threads and devices. A [Save] keeps finished
// parts in a file. [Response.Total] adds all parts up, and a [Sample] estimates a lower bound
// from some of them.
//
// The last round is computed in 32 bits and all others in 64. Results agree with the
// evaluator of package publictree to a millionth of the largest blind where that fits into memory.
package bestresponse
