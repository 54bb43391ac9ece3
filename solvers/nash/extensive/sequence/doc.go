// Package sequence solves extensive games of two players exactly, by their sequence form
// (Koller, Megiddo and von Stengel, STOC 1994): its size is that of the tree, and not that
// of the normal form.
//
// [Solve] finds a subgame perfect equilibrium. It solves the smallest subgames first, and
// replaces them by what the players expect there. A subgame in which one player wins what
// the other loses is a linear program; others are linear complementarity problems, solved
// by Lemke's algorithm from random play (von Stengel, van den Elzen and Talman,
// "Computing normal form perfect equilibria for extensive two-person games", Econometrica
// 2002). In each subgame, not more than two players may decide; so games of perfect
// information may have any number of players.
//
// Every result is verified by [extensive.Sequences.Gains], which has nothing in common
// with the search.
package sequence
