// Package multiplayer finds Nash equilibria of games with any number of players.
//
// [Pure] finds the pure ones, exactly, in games of any size. [Solve] finds all of small
// games. For each combination of supports it solves the polynomial equations of
// indifference by subdivision: a box of mixed strategies is given up if some strategy
// of a support is nowhere in it a best reply, and done if Krawczyk's operator proves
// that it has one solution. Rounding errors are bounded, so that each equilibrium
// found is certified: there is exactly one in the box given with it. Boxes too small to
// go on are counted as undecided; without any, the list is complete.
package multiplayer
