// Package brgpu values boards of poker on a GPU, for a best response to a strategy.
package brgpu
