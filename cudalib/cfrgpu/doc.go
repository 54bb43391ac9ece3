// Package cfrgpu trains two-player poker games on a GPU by vector-form
// counterfactual regret minimisation, and evaluates strategies there.
//
// A [Trainer] and an [Evaluator] are given a [Game] in flat arrays, as solvers/cfr
// lays it out. They do the arithmetic of solvers/cfr, with the same bits.
package cfrgpu
