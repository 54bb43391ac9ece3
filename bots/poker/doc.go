// Package poker has poker players. They decide for a seat, whether the table is in this
// process or behind a connection.
//
// A [Player] sees the hand as its seat does and answers with an action. The
// plain opponents of [NewOpponent] are baselines.
package poker
