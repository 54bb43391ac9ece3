// Package segment lays out the betting rounds of games of two players for work that is done
// board by board, and is the interpreter of such a layout on a CPU. Public chance sampling
// (package pcs), CFR-BR (cfrbr) and best responses (bestresponse) share it.
//
// A segment is a betting round after one sequence of earlier rounds. The segments of a round
// that have the same decisions are a [Part], and its lanes: an operation does the same in all of
// them, a tile of lanes at a time, and a GPU gives each a thread. In a limit game each round is
// one part. In a no-limit game it has several, with ends of hands at other
// depths: where a player is all-in, no segment follows, but a showdown on the rest of the board.
// Best responses have all boards, so they lay such rounds out as segments without decisions, see
// [New].
//
//   - Columns are the actions of a player at its decisions in a segment. Tables of strategies
//     are by bucket, column and lane.
//   - Ends are those of hands: the opponent's reach after a path of its columns is worth a fold,
//     a showdown or both, in chips by lane.
//   - Deals lead to the lanes of the next round.
//   - Decisions follow on those that come after them. The value of an action, and of the
//     segment, is a sum of values of ends, deals and decisions.
//
// [All] lays out a tree, and [New] some of the segments of a round. [Ends] and [Values] are the
// interpreter; [Follow] is the way down, from one round to the next.
//
// # What does not share the interpreter, and why
//
// Results have the same bits in all versions, so that sums keep their order. Package
// bestresponse adds the reach of the worse hands and of the better ones up at once, a rank at a
// time, and values rounds before the last in 64 bits. It has its own loops over hands, from the
// ends and the sums of a [Program].
//
// The kernels of vector-form CFR (cudalib/cfrgpu) have programs of their own. They visit the
// vectors of one segment after another, all hands of a round at once: a lane is a hand there, and
// not a betting sequence. They could not read a [Part] without other sums.
package segment
