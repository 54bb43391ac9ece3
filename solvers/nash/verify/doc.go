// Package verify decides exactly whether a pair of supports, or a pair of mixed
// strategies, is a Nash equilibrium of a two-player game.
//
// A [Verifier] is made once for a game. [Verifier.Candidate] decides about a pair of
// supports, as the searches of gamebots/solvers/nash find them, and
// [Verifier.Verify] tests finished strategies against the definition: no strategy
// wins more against the other player's.
//
// A candidate's linear systems are solved by the first of three methods that can:
//
//   - in floats with a bound of all rounding errors, where only supports are asked
//     for and the bound suffices for a proof (Rump 2010; Higham, Accuracy and
//     Stability of Numerical Algorithms);
//   - in two's complement integers of up to nine words, whose number follows from
//     Hadamard's bound of the determinants;
//   - in integers of any size, with math/big.
//
// All three use fraction-free or certified arithmetic, so that they never disagree.
package verify
