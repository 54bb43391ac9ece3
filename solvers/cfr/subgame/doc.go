// Package subgame solves what is left of a hand of two players from the start of a betting
// round on, with all hands apart, for the ranges of hands that a strategy comes there with.
//
// A [Subgame] is a game of its own: a betting tree (betting.Tree.From), the boards that can
// still come (abstraction.NewOnBoard), and the reach of each player's hands at its root
// ([Ranges]). The algorithms of package cfr solve it.
//
// [Hands] are the hands of a board as a policy plays them, and how likely it leads them to a
// point. [Before] makes the subgame of the rest of a hand from them.
//
// A strategy that is solved for the ranges alone may lose outside of the subgame what it wins
// inside: the opponent can come there with other hands than expected. [Subgame.SolveSafe]
// solves for one player, and offers the opponent at the root what each of its hands wins from
// the strategy that is replaced (CFR-D: Burch, Johanson and Bowling, "Solving imperfect
// information games using decomposition", AAAI 2014), or maximises the least margin by which
// a hand wins less than that.
package subgame
