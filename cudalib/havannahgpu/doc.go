// Package havannahgpu plays random games of Havannah on a GPU: [Playouts] rates the
// moves of a position, and [Leaves] plays from the leaves of a search tree. The
// games are those of solvers/playout, move for move. [Searches] searches many positions at once, as
// solvers/hexsearch does, for a network on the same device.
package havannahgpu
