// Package havannah describes positions of Havannah to the networks of package hexnet.
//
// [ShapeOf] is the shape of a board, and an [Encoder] makes its planes. [Turn] turns and
// reflects planes, policies and all else that is known of cells, as the board.
package havannah
