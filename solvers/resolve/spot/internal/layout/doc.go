// Package layout has the tables of a spot, which the solver on the CPU and that on a device read: the
// betting of each street, the boards with the hands that the players may hold there, where the
// entries of each decision are, and what ends pay.
//
// [Passes] is what a device does for a solver. It starts from a [Start].
package layout
