// Package cube has the rules of snake-in-the-box: paths along the edges of a cube of d
// dimensions.
//
// A snake is a path from vertex 0 that never touches itself: a vertex that it enters has
// one neighbour on the path, the one before it. Its length is its number of edges. A coil
// is such a path closed to a cycle. An edge is written as its dimension, the bit of the
// vertex that it changes, and a [Sequence] as a base-36 digit per edge: 0 to 9, then a
// for 10.
//
// Moves are canonical: a dimension is used for the first time only after all lower ones
// (K. Kochut, Snake-in-the-box codes for dimension 7, 1996).
// Paths that differ only in the names of dimensions are then searched once.
//
// [Board] is a snake in progress. It keeps the set of vertices that no move may enter:
// those of the path, and all neighbours of them but of the last one, its head. The moves
// are the neighbours of the head that are not in the set. [Check] shares nothing with the
// board; results are verified by it.
//
// [Read] reads files of sequences.
package cube
