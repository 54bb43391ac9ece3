// Package abstraction groups the cards of a poker game into buckets: the hands that
// a strategy treats alike.
//
// A [Cards] lists the boards of every betting round and, for each board, the
// buckets of hole cards. It also says how each bucket refines one of the round
// before. The trainer of package cfr works on vectors over all buckets of a round
// and needs nothing else of the cards.
//
// There are two kinds of Cards. [None] has a bucket for every combination.
// [Lossless] joins combinations that a renaming of the suits turns into each
// other, which loses nothing: a flop of three spades plays like one of three
// hearts. Where no flush can be made (Leduc), suits may be renamed rank by rank,
// and only ranks count.
//
// Hold'em is too large for either. [EHS] joins hands of about the same expected
// hand strength into 169 / 50 / 50 / 50 buckets. A strategy for these takes a few
// megabytes and is trained in minutes. [Boardless] is the abstraction of Reis
// (2015), which forgets which cards are on the board.
//
// Boards and hands of [Cards] are joined exactly. Boards equal under the
// symmetries that fix the board before are one board with a multiplicity; hands
// equal under the symmetries that fix the whole board are one bucket with a size.
// So each bucket is one information set of the smallest equivalent game, as
// counted by [Count]: 169, 1,286,792, 55,190,538 and 2,428,287,420 in hold'em.
package abstraction
