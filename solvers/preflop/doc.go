// Package preflop solves the betting before the flop of two players in no-limit hold'em, where a hand ends by a fold or
// by an all-in that is called. Other calls are not allowed.
//
// Hands are the 169 classes. The equities of each against each, over all boards, come with the package, so that a game
// is solved in a second of a core, by CFR+ (Tammelin, "Solving large imperfect information games using CFR+", 2014).
// What best responses gain is computed exactly.
package preflop
