// Package preflop solves the betting before the flop of two players in no-limit hold'em. A hand ends with a fold, with
// an all-in that is called, or, if a game has calls, with a flop.
//
// Hands are the 169 classes. The equities of each against each, over all boards, come with the package. So does what
// they win of each other after a flop, by who raised last and by the ratio of stacks to the pot: both go on by the
// strategy for stacks of 200 big blinds that comes with the program, in the lines of that strategy. Between their
// ratios, and down to the equities where nothing is left to bet, values are interpolated.
//
// A game is solved by CFR+ (Tammelin, "Solving large imperfect information games using CFR+", 2014), in some seconds of
// a core. What best responses gain before the flop is computed exactly.
package preflop
