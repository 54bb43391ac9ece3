// Package layout has the tables of a spot, which the solver on the CPU and that on a device read: the
// betting of each street, the boards with the hands that the players may hold there, where the
// entries of each decision are, and what ends pay.
//
// It also has the loops over hands in which almost all the time of solving a spot is spent: the
// values of showdowns and folds, many ends side by side ([Tiles]), and the packing of entries in 16
// bits ([Entries]). On amd64 they are done with AVX2 or AVX-512, to the bits of the portable versions.
//
// [Passes] is what a device does for a solver. It starts from a [Start].
package layout
