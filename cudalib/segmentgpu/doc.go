// Package segmentgpu is the layout of betting rounds that the kernels of several families read.
//
// A segment is a betting round after one sequence of earlier rounds. Those that have the same
// decisions are a [Part] of the round, and the lanes of vector operations: they differ in their
// pots and in the players' strategies. All segments of a round are one part in a limit game. In
// a no-limit game a round has several, as raises depend on the chips that are left, and a hand
// may end in any of them: where a player is all-in, the values of later rounds are those of an
// end.
//
// A [Program] says what the values of a part are sums of. Package segment of the solvers makes
// parts from betting trees and is the interpreter on a CPU. The structs of kernels are in
// poker.cuh.
package segmentgpu
