// Package resolve plays the last rounds of no-limit hold'em by solving them at the table, with
// exact cards, for the ranges with which both players come there.
//
//	player, err := resolve.New(blueprint, expected, resolve.Options{From: resolve.River, Iterations: 300})
//	answer, err := player.Answer(ctx, &state)
//
// Before the first solved round a [Player] plays its blueprint, a trained strategy, as package
// belief does. At its first decision of a round it solves what is left of the hand (package
// spot): the ranges are those of the blueprint, or of the solution of the round before. Its
// further decisions of the round come from this solution.
//
// # Safety
//
// An opponent who comes to a round with other hands than expected may win from what is best against
// its range. So in half of the deals it may take, with each of its hands, what that hand wins by
// the solution of the round before, or what a best response wins from the blueprint (see
// [spot.Offer]).
//
// # Bets outside of the tree
//
// A bet of the opponent that the tree lacks is not taken for another one. The round is solved
// again from its start, with the bet in the tree. What the player did before in the round is
// locked to what it really played there, so that its range is right; the opponent is free, and
// may have bet otherwise with each of its hands. Such a solution is nested in the one before
// (Brown and Sandholm, "Safe and nested subgame solving for imperfect-information games", NIPS
// 2017).
//
// # Public decisions
//
// What a Player does with each of its hands follows from the betting, the board and the
// blueprint alone: it looks neither at its own cards nor at a clock, unless it is given a
// context with a deadline. So it is a belief.Player, and a judge can ask it about any hand.
package resolve
