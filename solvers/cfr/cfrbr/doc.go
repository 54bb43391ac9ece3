// Package cfrbr trains two-player games with any card abstraction by CFR-BR with sampled boards
// (Johanson, Bard, Burch and Bowling, "Finding optimal abstract strategies in extensive-form games",
// AAAI 2012).
//
// CFR in an abstract game converges to an equilibrium of that game, whose exploitability in
// the game itself may be several times that of the best abstract strategy. CFR-BR converges
// to the latter: the player that learns has the buckets of the abstraction, and its opponent
// sees all cards. Each player is trained against an opponent of its own.
//
// An iteration samples a unit: the board of all rounds but the last. In the last two rounds the
// opponent plays the exact best response to the learner's current strategy, with all boards of the
// last round that follow. In the rounds before, the trunk, a sampled board does not determine the
// best response; there the opponent learns by CFR+ without an abstraction, except that hands equal
// up to the names of suits are merged. Then the learner updates its regrets against this opponent;
// in the trunk, against the opponent as it was before the unit.
//
// The rounds of a no-limit game have several parts (package segment). After an all-in the rounds that
// are still dealt are parts without decisions, so that all boards of the last round are valued there,
// too.
//
// Units are not drawn independently: they come in a random order, and none comes again before
// all have come. Values are computed as in package pcs, with the betting sequences that lead
// to a round as lanes. Sums are in a fixed order, so that a seed gives the same bits on any
// number of threads.
package cfrbr
