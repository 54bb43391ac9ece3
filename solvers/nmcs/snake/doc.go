// Package snake is the snake in the box, and the coil, as a game for package
// nmcs, with searches of its own.
//
// A snake is a path along the edges of the cube of d dimensions that leaves
// vertex 0 and comes near itself nowhere: a vertex that it enters has one
// neighbour on the path, the one before it. Its length is its number of edges. A
// coil is the same closed to a cycle. An edge is told by its dimension, the bit
// of the vertex that it changes, and a sequence is written with a base-36 digit
// an edge: 0 to 9, then a for 10.
//
// By default moves are canonical (K. Kochut, Snake-in-the-box codes for dimension
// 7, 1996): a dimension is used for the first time only after all those below
// it, so that paths that differ in names of dimensions only are searched once.
//
// # Board
//
// [Board] is a game in progress. It keeps the vertices that no move may enter, as
// a set of bits: those of the path, and all neighbours of them but of the last, its
// head. So the neighbours of the head that are not in the set are the moves.
// [Check] knows nothing of that and counts neighbours on the path: it is what
// results are held against.
//
// # Searches
//
// [Run] does nested Monte-Carlo search or rollout policy adaptation, of package
// nmcs, many runs at a time, on threads or on a GPU. [Beam] keeps, edge by edge,
// the paths from whose head most vertices can still be reached. [Halves] grows
// the two halves of a snake by turns, with beams, and finds the longest. All can
// start from a sequence that is given, which "primes" them.
//
// Searches on a GPU return the same sequences as on the CPU.
package snake
