// Package belief tracks the range of a player whose strategy is known through a hand of
// poker: the probability of each hand that the player may hold, by Bayes' rule, given its
// actions and all hole cards but its own. With two players, this is what an opponent who
// knows the strategy can infer.
//
//	hand := belief.Begin(equities, state, position)
//	for !hand.State.Finished() {
//		hand.Deal(hand.State.Round())
//		…
//		choices, err := player.Choices(ctx, &hand.State)
//		hand.Act(choices, chosen)
//	}
//	won := hand.Finish() + hand.Corrections.Sum()
//
// A [Player] is the player whose strategy is known. It returns what it does with each of
// its hands, as it is really played. [Strategy] is a player of a trained strategy: if its
// betting tree lacks a raise of the other player, it is a mixture over all raises to which
// the raise may be translated, with their probabilities.
//
// # Estimates
//
// The others never see the player's cards, and the range is exactly their distribution
// given everything that the others do see. So an expectation can replace chance without
// bias:
//
//   - A showdown counts as its mean over the range, not by the hand that was dealt.
//   - Every action of the player is corrected by a control variate: the mean over all of
//     its actions, with all hands of the range, of a value for the others after it, minus
//     that of the action taken. The value is that of a showdown, as if all checked and
//     called from then on.
//   - The cards of later rounds are corrected in the same way, over all boards. If the
//     players are all-in this leaves the exact mean over the boards.
//
// Cards are not corrected when there are too many boards to enumerate (the flop of
// hold'em).
//
// These are the corrections of AIVAT, with showdowns as the value function: see package
// aivat, which has better ones for the games in which they can be computed.
package belief
