// Package resolve solves the last rounds of a hand between two players at the table, with exact cards, for
// the ranges with which both players reach them.
//
//	r, err := resolve.New(policy, resolve.Options{From: resolve.River, Iterations: 300, Memory: 64 << 20})
//	answer, err := r.Answer(ctx, &state)
//	row := answer.Of(r.Hand(hole)) // the probabilities of answer.Actions with this hand
//
// Before the first solved round a [Resolver] plays its blueprint, a trained strategy, as package
// belief does. In no-limit hold'em the betting before the flop is solved (package preflop) if the opponent makes a
// raise that the blueprint lacks. What else it solves depends on the game:
//
//   - In no-limit hold'em, flops, turns and rivers with any bets ([NoLimit]). At its first decision of
//     a round it solves the rest of the hand (package spot), from the ranges of the blueprint or of
//     the previous round's solution. Its later decisions in the round come from this solution. In a
//     game of more players turns and rivers are solved to which two come; the cards of those who have
//     folded count as any others.
//   - In other games the last round, in the betting of the blueprint, from the ranges of that.
//
// A flop is solved by a [Device] that has the memory and the time for it; the blueprint plays others.
//
// # Safety
//
// An opponent who reaches a round with other hands than expected may exploit a solution for its
// expected range. So half of its range comes as expected, and all its hands come alike with as much
// weight as the most frequent one. These may take what the hand wins by the solution of the previous
// round, or what a best response wins from the blueprint (CFR-D: Burch, Johanson and Bowling, "Solving
// imperfect information games using decomposition", AAAI 2014); and from a flop on what the hand wins if
// both play the blueprint.
//
// In games of more than two players a round is solved for the ranges alone. No strategy is safe there, and
// ranges are narrow: most of all hands are none that anybody would have.
//
// # Bets outside of the tree
//
// A bet of the opponent that is not in the tree is not translated. The round is solved again
// from its start, with the bet in the tree. The player's earlier decisions in the round are
// locked to what it really played, so that its range is right; the opponent is free, and may
// have bet differently with each of its hands. Such a solution is nested in the one before
// (Brown and Sandholm, "Safe and nested subgame solving for imperfect-information games", NIPS
// 2017).
//
// # Public decisions
//
// What a Resolver does with each of its hands depends only on the betting, the board and the
// blueprint: not on its own cards, and on a clock only if its context has a deadline. So it
// is a belief.Player, which can be asked about any hand.
//
// # Subgames
//
// [Solve] and [SolveSafe] solve the rest of a hand in a tree of package betting, see [publictree.NewSubgame]: for the
// ranges, and with an [Offer] to the opponent.
package resolve
