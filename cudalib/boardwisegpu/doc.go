// Package boardwisegpu trains limit games of poker on a GPU, board by board, with all regrets
// and strategies in its memory.
package boardwisegpu
