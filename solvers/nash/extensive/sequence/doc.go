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
// [linearProgram] solves linear programs exactly: it finds a basis by the dual simplex method in floats, and
// goes on in integers, usually without another step, to an optimum with the dual solution that proves it. The
// equations of a basis are solved modulo a prime, and the solution is lifted to powers of the prime until
// fractions can be read off (Dixon, "Exact solution of linear equations using p-adic expansions", 1982).
// These are checked in integers, so that results do not depend on bounds.
//
// Every result is verified by [extensive.Sequences.Gains], which has nothing in common
// with the search.
package sequence
