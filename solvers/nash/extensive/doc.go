// Package extensive has extensive games: trees of decisions and chance moves, with
// information sets.
//
// A [Game] is read from Gambit's .efg files ([Read]), or made from the rules of a game of
// one's own ([Build]), and written as .efg ([Game.EFG]). Payoffs and probabilities are
// exact fractions.
//
// Solvers need perfect recall, and number what a player knows and did as sequences
// ([Game.Sequences]). [Game.Subgames] finds the subgames. A [Profile] has a behaviour
// strategy of each player, and [Sequences.Gains] proves in fractions that it is an
// equilibrium, also a subgame perfect one. [Game.NormalForm] gives the reduced normal
// form. [Named] has shipped games, liar's dice and goofspiel, which papers compare algorithms on, and [Open]
// those of files, too.
//
// Package sequence solves games of two players exactly, package
// gamebots/solvers/cfr/tabular trains any by counterfactual regret minimisation.
//
// docs/api.txt lists the names of this package that are kept.
package extensive
