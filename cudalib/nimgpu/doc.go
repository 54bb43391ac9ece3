// Package nimgpu solves Nim on a GPU: [Solver] looks ahead from positions, and
// [Table] solves all positions of a board.
package nimgpu
