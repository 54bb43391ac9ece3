// Package linear solves linear programs and systems of linear equations exactly.
//
// [Program.Solve] finds a basis by the dual simplex method in floats. From there it goes
// on in integers, usually without another step, and returns an optimum with the dual
// solution that proves it.
//
// The equations of a basis are solved modulo a prime, and the solution is lifted to
// powers of the prime until fractions can be read off (Dixon, "Exact solution of linear
// equations using p-adic expansions", 1982). These are checked in integers, so that
// results do not depend on bounds.
package linear
