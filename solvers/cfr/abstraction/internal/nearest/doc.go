// Package nearest finds the nearest of some centres for vectors with coordinates of 16 bits. All
// comparisons are of integers, so that the results are the same on every machine.
package nearest
