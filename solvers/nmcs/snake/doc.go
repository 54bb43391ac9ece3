// Package snake has the rules of snake-in-the-box, paths along the edges of a cube of d dimensions, and searches for
// long ones by the nested search of Buzer and Cazenave, "GPU for Monte Carlo Search" (2022).
//
// # Rules
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
// board; results are verified by it. [Read] reads files of sequences.
//
// # Nested Monte-Carlo search
//
// A search of level 0 is a playout: random moves until the snake cannot go on. A search of
// level n plays one snake. At every position it makes a search of level n-1 after each
// legal move, and then plays the next move of the best sequence found so far, at this
// position or an earlier one (memorised best sequence: T. Cazenave, Nested Monte-Carlo
// Search, IJCAI 2009). Only a better sequence replaces the best, so the first of equals
// stays.
//
// With leaf parallelism P, a playout is the best of P (L. Buzer, T. Cazenave, GPU for
// Monte Carlo Search, LION 2023).
//
// [Run] makes independent runs on threads and counts them in a [Tally], and [DeviceRuns] makes them on a
// GPU, with the same results. [Save] and [Load] keep the tally in a checkpoint. All can begin with a given
// sequence, the prime. [Search] is what "gamebots solve snake" does: a whole search, with a checkpoint and progress.
//
// # Random numbers
//
// A seed and the number of a run give a [Key]. A search's key and the ply and move at
// which it starts a nested search give the key of that one. The key of a search of level
// 1 or 0 gives a [Stream] for each of the P playouts of a leaf, which continue in their
// streams from playout to playout. A run is therefore the same on any device and any
// number of threads, and the searches of level 1 within a run can be done in any order.
package snake
