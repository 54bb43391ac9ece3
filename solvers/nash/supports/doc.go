// Package supports finds Nash equilibria by enumerating pairs of supports of equal
// size.
//
// [Exchange] solves all column supports of a row support from few tableaux. It
// follows a walk through column supports, each one exchange of columns away from the
// one before, and reads all supports that differ in one column from the tableau of
// each: for 20 columns about 30 supports. Games with more columns than a covering
// walk can be made for are searched in a tree of columns that shares eliminations.
//
// [Nguyen] and [Grosu] solve each pair by itself, as the published programs did:
// T. D. Nguyen (2015), and S. Rampersaud, L. Mashayekhy and D. Grosu, Computing Nash
// equilibria in bimatrix games: GPU-based parallel support enumeration (2014).
//
// The search is in floats. A pair is rejected only where it fails by more than a
// bound of the rounding errors. Otherwise it is a candidate, to be verified by the
// caller.
package supports
