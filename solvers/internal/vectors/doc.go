// Package vectors has the inner loops of CFR in vector form: regret matching on the
// way down the tree, the update of regrets on the way up, and the value of a fold; and those
// that follow a strategy which is given.
//
// A vector has one float32 a bucket and is padded to a multiple of
// [abstraction.Lanes]. The vectors of a decision, one an action, lie a stride
// apart: entryStride in the arrays over all entries, frameStride in the vectors of
// a segment.
//
// The functions of vectors.go and tiles_portable.go are the portable versions. On amd64 the same is done
// with AVX2 where the processor has it, and with AVX-512 for decisions with few
// actions. All give the same bits: no multiplication is fused with an addition (hence
// the conversions, which forbid it), and sums are taken in the same order.
//
// # Tiles
//
// The loops over a [Tile] have values board by board: over the hands of a board, with a tile of neighbouring lanes
// (betting sequences) at a time.
package vectors
