// Package supports finds Nash equilibria by enumerating pairs of supports of equal
// size. It solves each pair by itself, as the published programs did: T. D. Nguyen
// (2015), and S. Rampersaud, L. Mashayekhy and D. Grosu, Computing Nash equilibria in
// bimatrix games: GPU-based parallel support enumeration (2014).
//
// The search is in floats. A pair is rejected only where it fails by more than a
// slack. Otherwise it is a candidate, to be verified by the caller.
package supports
