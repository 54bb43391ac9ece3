// Package poker has the players of the poker family: what decides for a seat,
// whoever carries the decision to the table.
//
// A [Player] sees the hand as its seat does and answers with an action. The
// plain opponents of [NewOpponent] are there to be measured against.
package poker
