// Package worth says what results are worth: how much of them is luck, who is
// better than whom, and how sure that is. Nothing here plays.
//
// [EstimateHands] takes hands of poker and an estimator of package aivat, and returns
// what a player has won, plainly and without the luck.
package worth
