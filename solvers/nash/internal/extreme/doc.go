// Package extreme finds the extreme equilibria of any two-player game, degenerate or
// not, in integers only.
//
// [Search] branches over complementarity labels as package labels does, down to pairs
// of faces all of whose points are equilibria of each other. The vertices of these
// faces are the extreme equilibria. [NewStructure] says how they are connected: by
// maximal Nash subsets and components. [IsDegenerate] looks for a vertex of either
// polytope with more tight inequalities than dimensions. [LemkeHowson] finds one
// equilibrium quickly.
//
// Integers are much slower than the floats of package labels. They are used where
// floats found a tie, or no vertex where one should be.
package extreme
