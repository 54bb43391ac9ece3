// Package loops has the loops over hands in which almost all the time of solving a spot is spent: the
// values of showdowns and folds, many ends side by side ([Tiles]), and the packing of entries in 16
// bits ([Entries]). On amd64 they are done with AVX2 or AVX-512, to the bits of the portable versions.
package loops
