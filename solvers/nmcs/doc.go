// Package nmcs searches single-player games for the sequence of moves with the highest
// score, by nested Monte-Carlo search. It works for any game that implements [Game].
//
// # Nested Monte-Carlo search
//
// A search of level 0 is a playout: random moves until the game is over. A search of
// level n plays one game. At every position it makes a search of level n-1 after each
// legal move, and then plays the next move of the best sequence found so far, at this
// position or an earlier one (memorised best sequence: T. Cazenave, Nested Monte-Carlo
// Search, IJCAI 2009). Only a better sequence replaces the best, so the first of equals
// stays.
//
// With leaf parallelism P, a playout is the best of P (L. Buzer, T. Cazenave, GPU for
// Monte Carlo Search, LION 2023).
//
// # Random numbers
//
// A seed and the number of a run give a [Key]. A search's key and the ply and move at
// which it starts a nested search give the key of that one. The key of a search of level
// 1 or 0 gives a [Stream] for each of the P playouts of a leaf, which continue in their
// streams from playout to playout. A run is therefore the same on any device and any
// number of threads, and the searches of level 1 within a run can be done in any order.
//
// # Runs
//
// [Run] makes independent runs on several threads and counts them in a [Tally].
package nmcs
