// Package boards adapts games of the board family to solvers/minimax: [Havannah] and
// [Nim]. Tests compare the faster solvers/nimsolver with the latter.
package boards
