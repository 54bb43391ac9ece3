// Package matrix is matrix games of two players, played in rounds: both choose an
// action at once, and the payoffs of the rounds add up.
//
// A [Match] is a game in progress: [New] starts one from any payoffs, [Named] one
// of those that have a name, as rock-paper-scissors. Payoffs are fractions, so that
// totals are exact.
//
// Nothing here logs, waits or reads a clock. A match belongs to one goroutine at a
// time.
package matrix
