// Package multiplayer finds Nash equilibria of games with any number of players.
//
// [Pure] finds the pure ones, exactly, in games of any size. [Solve] finds all of small
// games. For each combination of supports it solves the polynomial equations of
// indifference by subdivision: a box of mixed strategies is given up if some strategy
// of a support is nowhere in it a best reply, and done if Krawczyk's operator proves
// that it has one solution. Rounding errors are bounded, so that each equilibrium
// found is certified: there is exactly one in the box given with it.
//
// Where boxes get too small, as near degenerate equilibria and continua of infinitely many,
// the supports are decided in fractions instead: the equations are solved one after the
// other, and a [Continuum] has its equilibria as functions of the variables that are left.
// Supports that are too large for that are counted as undecided; without any, the result is
// complete.
//
// [Certify] proves that there is an equilibrium near a point, and [Near] falls back on one
// in fractions, or on mixed strategies with a proved bound of their regret.
package multiplayer
