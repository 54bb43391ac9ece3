// Package boards makes games of the board family what solvers/minimax searches:
// [Havannah] and [Nim]. The latter is the plain form, which holds the faster one
// of solvers/nimsolver to account.
package boards
