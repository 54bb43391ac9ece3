// Package snake searches for long snakes in the box, and coils: see package cube for the
// rules.
//
// # Searches
//
// [Run] makes runs of nested Monte-Carlo search or of nested rollout policy adaptation
// (package nmcs), on threads or on a GPU. [Beam] extends paths edge by edge and keeps
// those from whose head most vertices can be reached. [Improve] replaces parts of a snake
// by beam searches. [Halves] grows the two halves of a snake or coil in turn, by beam searches,
// and finds the longest. [Walk] replaces parts of a snake by others of the same length, again and
// again, until some can be longer. All can begin with a given sequence, the prime. A [Symmetry]
// of the snake or coil makes a search smaller.
//
// [Search] is a whole search by any of these, with a checkpoint and progress; it is what
// "gamebots solve snake" does.
//
// # Devices
//
// Searches on a GPU return the same sequences as on the CPU, except for Halves, whose
// chains share their results and so depend on time.
package snake
