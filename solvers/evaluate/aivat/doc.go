// Package aivat estimates the winnings of a poker player whose strategy is known,
// without bias and with much less variance than the chips won: AIVAT (Burch, Schmid, Moravčík,
// Morrill and Bowling, "AIVAT: A new variance reduction technique for agent
// evaluation in imperfect information games", AAAI 2018).
//
//	policy, err := policy.Open("leduc.strategy", memory, nil)
//	strategy, err := aivat.ReadStrategy(policy, nil)
//	estimator, err := aivat.New(strategy, strategy, false)
//	for _, hand := range log {
//		won, err := estimator.Estimate(&hand, seat)
//		…
//	}
//
// # What an estimate is
//
// The estimator follows a hand from its start. It keeps a belief about the player's
// hole cards: the probability of every hand, given the other player's hole cards, the
// board, and the player's actions under its strategy. The hand counts as the mean over
// the final belief, not as the result of the one hand held (imaginary observations
// over the private cards).
//
// Corrections (control variates) remove luck. Whenever cards are dealt, the mean of a
// value function over all possible cards is added, and its value for the cards dealt is
// subtracted. The same is done whenever the player chooses an action, with the mean
// under its strategy. The expectation of each correction is zero, whatever the value
// function is. So the estimates have the mean of the chips won, and with a good value
// function little but the other player's decisions is left of the variance.
//
// Where the other player's strategy is known too, its actions are corrected in the
// same way. [Estimator.Corrections] returns the corrections one by one.
//
// # Requirements
//
// An estimate needs all hole cards, as in a dealer's log, or those of the other player
// ([Estimator.EstimateUnseen]), and the probabilities with which the player drew its
// actions. With another strategy, or another style of playing it, the estimate is wrong;
// an action that the strategy never plays is an [ErrNotPlayed].
//
// # Value functions
//
// A value function is the value of the two strategies played against each other; the
// other player's strategy is known or a guess. In small games it is exact, for all
// hands on all boards.
//
// Where a strategy lacks raises or is not read into memory ([OpenStrategy]), its player searches
// ([PlayedBy]), or the game is too large for exact values or has more than two players, it is the value
// of a showdown without further bets, and the belief follows all ways in which raises may have
// been translated (package belief). With more than two players it is that of all others
// together.
//
// An estimate is in chips, from the known player's side. Nothing but the boards on which showdowns of large
// games are valued is random, and they have a fixed seed.
package aivat
