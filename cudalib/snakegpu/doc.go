// Package snakegpu searches for long snakes in hypercubes on a GPU by nested Monte-Carlo
// search, see [Runs].
package snakegpu
