// Package correlated finds correlated and coarse correlated equilibria of games with
// any number of players, exactly.
//
// A distribution over the cells of a game is a correlated equilibrium (Aumann 1974) if
// no player gains by deviating from a recommended strategy to another one, and a coarse
// correlated equilibrium (Moulin and Vial 1978) if none gains by deciding for one
// strategy before the recommendation. Each of these [Incentive] conditions is linear,
// so that a distribution with the largest expectation of any objective is the solution
// of a linear program.
//
// [Solve] solves it exactly, by package linear. The multipliers of the incentives prove
// that no equilibrium has a larger expectation. [Solution.Verify] checks both by the
// definitions, in fractions, and [Distance] says how far any distribution is from
// being an equilibrium.
package correlated
