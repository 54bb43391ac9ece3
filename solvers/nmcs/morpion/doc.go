// Package morpion is Morpion Solitaire in its disjoint version, 5D, as a game
// for package nmcs.
//
// A move adds a point to the grid and draws a line of five points through it,
// along a row, a column or a diagonal; the other four are there already. Lines
// of one direction share no point. The first points are a cross of 36, and the
// score is the number of moves. Nobody has played more than 82.
package morpion
