// Package havannah describes positions of Havannah to the networks of package hexnet.
//
// [ShapeOf] is the shape of a board, and an [Encoder] makes its planes. Planes turn and
// reflect with the board: see [havannah.Grid.Image].
package havannah
