// Package polynomial computes exactly with polynomials in several variables with integer
// coefficients: greatest common divisors, factors, resultants, real roots, and points where
// polynomials are positive.
//
// It is made for small polynomials, as those that say that players of a game are indifferent.
package polynomial
