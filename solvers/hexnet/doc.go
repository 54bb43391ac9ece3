// Package hexnet has residual networks that value positions on boards of hexagonal cells,
// and learns them. One network plays boards of every size.
//
//   - A [Shape] is a board's cells and their neighbours.
//   - A [Net] is a network: its [Config] and its parameters. [New] makes one, [Load] and
//     [Net.Save] are for files.
//   - An [Evaluator] gives the [Outputs] of a network for batches of boards of one shape.
//     A [Device] does so on a GPU.
//   - A [Trainer] improves a network by steps of AdamW towards [Targets].
//
// The package knows no game. What the planes of a cell mean is up to a package for the
// game: solvers/hexsearch.
//
// # The network
//
// A hexagonal convolution has seven taps: the cell itself and its neighbours in the order of
// the shape's directions. Off the board there are zeros. The stem is such a convolution of
// the planes to Channels channels, h. Each block adds to it (K. He et al., Identity mappings
// in deep residual networks, 2016):
//
//	t = conv₁(relu(h))
//	t = t + pool(relu(t))·W    every second block, from the second: the same for all cells
//	h = h + conv₂(relu(t))
//
// pool has of each channel the mean over all cells, the mean times (side-6)/4, and the
// maximum, as in KataGo (D. Wu, Accelerating self-play learning in Go, 2019). There is no
// normalization: conv₂ begins at zero instead, so each block begins as the identity
// (H. Zhang et al., Fixup initialization, 2019).
//
// From f = relu(h) there are two heads. Each cell has four logits, linear in f: of the
// policy, of the opponent's reply, and of belonging to the winning structure of the player to
// move or of the opponent. The board has four outputs, linear in relu(pool(f)·V + b): the
// value before tanh, and logits of three kinds of winning structures.
//
// # Numbers
//
// Parameters and activations are float32. Sums are made in a fixed order of products with
// one rounding each (FMA), with AVX2 where the processor has it and without, so the same seed and steps give the same
// bytes on all of them and with any number of threads.
package hexnet
