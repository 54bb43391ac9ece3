// Package plan says what a run of the arena plays, and keeps what was played.
//
// A [Plan] is a run: its game, its players, its tables, which are the sets of
// players that meet, and the orders in which each table's players are seated. A
// table plays units, deals of poker or openings of a board game, each once in
// every order, so that most of the luck cancels out. No two tables have the same
// cards: their results are independent.
//
// A [Shard] is some units of one table, the piece of work that a thread or a
// machine does at a time. What is played in it follows from the plan and its
// number alone. Its [Result] has a [Tally] and the games, packed: of poker the
// actions only, for the cards are dealt again from the seed ([Hands]); of board
// games all that arena.BoardGame has ([BoardGames]).
//
// In the tally an observation is a unit. For a player of a table that is, in
// poker, the mean of its chips a hand over all orders of one deal, and in board
// games the mean of its points in the two games of an opening. Mean and interval
// follow from the sums ([Score.Mean], [Score.Interval95]).
//
// Nothing here is changed after it is made, and all may be shared.
package plan
