// Package matrix has repeated matrix games of two players: in each round both choose
// an action at the same time, and the payoffs of the rounds add up.
//
// A [Match] is a game in progress. [New] starts one from payoffs, and [Named] a known
// game such as rock-paper-scissors. Payoffs are fractions, so that totals are exact.
package matrix
