// Package morpion is Morpion Solitaire, disjoint version (5D), as a game for package nmcs.
//
// A move adds a point to the grid and draws a line of five points through it, along a row,
// a column or a diagonal; the other four points are there already. Lines of the same
// direction share no point. The game begins with a cross of 36 points, and the score is the
// number of moves. The record is 82.
package morpion
