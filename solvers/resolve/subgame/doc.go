// Package subgame solves the rest of a two-player hand from the start of a betting round
// on, without a card abstraction, for the ranges with which a strategy reaches it.
//
// A [Subgame] is a game of its own: a betting tree (betting.Tree.From), the boards that can
// still come (abstraction.NewOnBoard), and the reach of each player's hands at its root
// ([Ranges]). The algorithms of package cfr solve it.
//
// [Hands] are the hands of a board as a policy plays them, with the probability that each
// reaches a point. [Before] makes the subgame of the rest of a hand from them.
//
// A strategy that is solved for the ranges alone may lose more than it gains: the opponent
// can reach the subgame with other hands than expected. [Subgame.SolveSafe] solves for one
// player, and offers the opponent at the root what each of its hands wins from the strategy
// that is replaced (CFR-D: Burch, Johanson and Bowling, "Solving imperfect information games
// using decomposition", AAAI 2014), or maximises the least margin by which a hand wins less
// than that.
package subgame
