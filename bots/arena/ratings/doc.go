// Package ratings rates players by the results of the arena: confidence intervals,
// AIVAT estimates, rankings and Elo.
//
// [EstimateHands] estimates the winnings of a player at poker with an estimator of
// package aivat, which removes much of the luck. Where the opponent does not play as
// the estimator assumes, it fits the weights of the control variates (weights.go).
//
// A [League] has the results of all tables of a poker run, by which [PokerStandings] ranks
// players. [Rate] rates players of board games by the Bradley–Terry model, with intervals.
// [WritePoker], [WriteBoards] and [WriteEstimates] write tables of them.
package ratings
