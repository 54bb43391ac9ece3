// Package terminal computes terminal values: the winnings of all hands of a player where a
// hand of poker ends, given the reach of the other players' hands.
//
// With two players and at most two hole cards this takes time linear in the hands
// (Johanson et al., "Accelerating best response calculation in large extensive
// games", IJCAI 2011). Other games are summed over all deals.
package terminal
