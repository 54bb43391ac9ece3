// Package brgpu values boards of limit poker on a GPU, for a best response to a strategy.
package brgpu
