// Package ratings says what results are worth: how much of them is luck, who is
// better than whom, and how sure that is. Nothing here plays.
//
// [EstimateHands] takes hands of poker and an estimator of package aivat, and returns
// what a player has won, plainly and without the luck; where the other player is not
// what the estimator takes it for, it weighs the estimator's terms (weights.go).
//
// A [League] is who won what from whom at poker, ranked by total bankroll and by instant
// runoff, the two ways of the Annual Computer Poker Competition; [League.Bootstrap] says how
// sure the ranks are. [Rate] gives players of board games ratings with intervals, by
// the Bradley–Terry model.
package ratings
