// Package aivat estimates what a poker player of a known strategy has won, with
// much of the luck taken out and without bias: AIVAT (Burch, Schmid, Moravčík,
// Morrill and Bowling, "AIVAT: A new variance reduction technique for agent
// evaluation in imperfect information games", AAAI 2018).
//
//	policy, err := cfr.OpenPolicy("leduc.strategy", memory, nil)
//	strategy, err := aivat.ReadStrategy(policy, nil)
//	estimator, err := aivat.New(strategy, strategy, false, threads, nil)
//	for _, hand := range log {
//		won, err := estimator.Estimate(&hand, seat)
//		…
//	}
//
// # What an estimate is
//
// A hand is gone through from its start. What the player may hold is kept as a
// belief: the probabilities of all its hands, given the other's hole cards, the
// board, and by the strategy what it has done. At the end the hand counts as the mean
// over that belief, not as what the one hand held has won (imaginary observations
// over the private cards). Whenever cards are dealt, the mean of a value function over
// all that could have come is added, and its value for what came is subtracted; so it
// is whenever the player chooses an action, the mean being that of its strategy. Each
// such pair is zero in the mean, whatever the value function is. So the mean of the
// estimates is that of the chips won, and a good value function leaves only what
// the other player's decisions bring.
//
// Where the other player's strategy is known too, its actions are corrected in the
// same way. [Estimator.Terms] returns the corrections apart.
//
// # What has to be known
//
// All hole cards, as a dealer's log has them, and the probabilities with which the
// player drew its actions. An estimate for another strategy, or for another style
// of playing it, is worth nothing; an action that the strategy never plays is an
// [ErrNotPlayed]. The game is one of two players, the strategy one of all raises.
//
// # Value functions
//
// Both are those of the two strategies played against each other, the other
// player's being known or a guess. In small games they are exact, for all hands on
// all boards. In limit hold'em with buckets they are exact from the turn on, with the
// very cards; before, they are those of a game of pairs of buckets, with
// frequencies from sampled deals, and the means that have to be exact are taken over
// all turns, and over all flops.
//
// Two players make one of three with the dealer, who is known anyway: an estimate is
// in chips, from the known player's side. Nothing here is random, but for those
// sampled frequencies, which have a seed of their own: an estimate has the same bits
// on any number of threads.
package aivat
