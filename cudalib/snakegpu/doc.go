// Package snakegpu searches for long snakes in hypercubes on a GPU: [Runs] by nested
// Monte-Carlo search, [Beam] by one wide beam search, [NarrowBeams] by many narrow
// ones, [Walks] by walks.
package snakegpu
