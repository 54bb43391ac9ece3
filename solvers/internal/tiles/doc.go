// Package tiles has the inner loops of values board by board: over the hands of a board, with
// a tile of neighbouring lanes (betting sequences) at a time. On amd64 they use AVX2 where the
// processor has it, and give the same bits without.
package tiles
