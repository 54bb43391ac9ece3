// Package abstraction turns the cards of a poker game into buckets: what a
// player is told apart by when a strategy is trained and looked up.
//
// A [Cards] lists, for every betting round, the boards that can lie on the
// table and for each board the buckets of hole cards, with how each bucket
// refines one of the round before. The trainer of package cfr works on
// vectors over all buckets of a round and needs nothing else of the cards.
//
// Two kinds of Cards exist. [None] keeps every combination apart. [Lossless] joins what
// a renaming of the suits turns into each other, which loses nothing: a flop
// of three spades plays like one of three hearts. Where no flush can be made
// (Leduc), suits may be renamed rank by rank, and only ranks are told apart.
//
// Hold'em is too large for either. [Quick] joins hands that are not the same,
// but about as strong: 169 / 50 / 50 / 50 buckets by expected hand strength, in
// which a strategy of a few megabytes is trained in minutes.
//
// Boards and hands of [Cards] are joined exactly. Boards equal under the
// symmetries that fix the board before are one board with a multiplicity; hands
// equal under the symmetries that fix the whole board are one bucket with a
// size. So each bucket is one information set of the smallest equivalent game,
// as counted by [Count]: 169, 1,286,792, 55,190,538 and 2,428,287,420 in hold'em.
package abstraction
