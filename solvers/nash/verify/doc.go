// Package verify decides exactly whether a pair of supports, or a pair of mixed
// strategies, is a Nash equilibrium of a two-player game.
//
// A [Verifier] is made once for a game. [Verifier.Candidate] decides about a pair of
// supports, as the searches of gamebots/solvers/nash find them, and
// [Verifier.Verify] tests finished strategies against the definition: no strategy
// wins more against the other player's.
//
// A candidate's linear systems are solved in two's complement integers of up to nine
// words, whose number follows from Hadamard's bound of the determinants, or else in
// integers of any size, with math/big. Both are free of fractions, so that they never
// disagree.
package verify
