// Package belief follows a hand of poker as those see it who know how one player plays, and
// see all hole cards but that player's: with the probability of each hand that the player may
// hold, its range, by Bayes' rule. With two players, these are the eyes of the opponent.
//
//	hand := belief.Begin(equities, state, position)
//	for !hand.State.Finished() {
//		hand.Deal(hand.State.Round())
//		…
//		choices, err := player.Choices(&hand.State)
//		hand.Act(choices, chosen)
//	}
//	won := hand.Finish() + hand.Corrections.Sum()
//
// A [Player] is the known one. It says what it does with each of its hands, as it really
// plays. [Strategy] is the player of a trained strategy: where its betting tree lacks a
// raise of the other player, it is a mixture over all raises that it may take it for, with
// their probabilities.
//
// # Estimates
//
// The others never see the player's cards, and the range is exactly their probability
// given all that they do see. So an expectation takes the place of chance without bias:
//
//   - A showdown counts as its mean over the range, not by the hand that was dealt.
//   - Every action of the player is corrected by a control variate: the mean over all of
//     its actions, with all hands of the range, of a value for the others after it, minus
//     that of the action taken. The value is that of a showdown, as if all checked and
//     called from then on.
//   - The cards of later rounds are corrected in the same way, over all boards. If the
//     players are all-in this leaves the exact mean over the boards.
//
// Cards that are dealt while the hand's other boards are too many to enumerate (the flop of
// hold'em) are not corrected.
//
// These are the corrections of AIVAT, with showdowns as the value function: see package
// aivat, which has better ones for the games in which they can be computed.
package belief
