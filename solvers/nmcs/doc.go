// Package nmcs searches single-player games for the longest, or otherwise
// highest, game that can be played: nested Monte-Carlo search and nested rollout
// policy adaptation, over any game that is a [Game].
//
// # Nested Monte-Carlo search
//
// A search of level 0 is a playout: moves are drawn until the game is over. A
// search of level n plays a game in which, at every position, each legal move is
// tried and a search of level n-1 plays on from there. The best game that any of
// them found is kept, and its next move is played, whether this position's
// searches or earlier ones found it: the memorised best sequence (T. Cazenave,
// Nested Monte-Carlo Search, IJCAI 2009). Only a better game replaces the best,
// so the first of equals stays.
//
// With a parallel leaf of P, a playout is the best of P (L. Buzer, T. Cazenave,
// GPU for Monte Carlo Search, LION 2023).
//
// # Nested rollout policy adaptation
//
// A search of level n does a number of searches of level n-1 and after each
// changes the weights of moves towards the best game so far; playouts draw moves
// by these weights (C. Rosin, IJCAI 2011).
//
// # Random numbers
//
// A seed and the number of a run give a [Key], a key and the place of a search
// within its run give that search's key, and the key of a search of level 1 (or
// 0) one [Stream] for each of the P playouts of a leaf. A playout goes on in its
// stream where the one before it stopped. So a run is the same bits on any
// device and any number of threads, and searches of level 1 within a run can be
// done in any order.
package nmcs
