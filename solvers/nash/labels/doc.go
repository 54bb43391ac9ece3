// Package labels finds Nash equilibria by branching over complementarity labels.
//
// With payoffs shifted to be positive an equilibrium is a pair of points of two
// polytopes
//
//	P = {x >= 0, x B <= 1},  Q = {y >= 0, A y <= 1}
//
// in which each row i has x_i = 0 or (A y)_i = 1, and each column j has y_j = 0 or
// (x B)_j = 1. Each of these m+n labels is given to one of the polytopes, which
// narrows it to a face by a few simplex pivots; an empty face ends the branch. The
// idea is that of EEE (Audet, Hansen, Jaumard and Savard 2001). Here the label to
// branch over is the one that is closest to being impossible, and labels that are
// impossible on one side are decided without branching.
//
// A [Space] is the search tree of a game. [Space.Search] traverses it on CPU
// threads, and [Space.SearchDevice] on a GPU. Both visit the same nodes.
//
// [FindTie] is another search of a polytope, for a tie of its inequalities, and
// [Space.LemkeHowson] a path to a single equilibrium.
//
// The search is in floats. A branch is cut only if its face is empty by more than a
// bound of the rounding errors, so that no equilibrium is lost; decisions within the
// bound are counted as ambiguous. Candidates are to be verified by the caller.
package labels
