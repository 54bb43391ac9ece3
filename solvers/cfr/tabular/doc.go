// Package tabular trains any extensive game with perfect recall by counterfactual regret
// minimisation, with a table of regrets for its information sets.
//
// Games are those of package extensive: files of Gambit, games of one's own by their rules,
// and poker by package gametree. The variants of full traversals are those of package cfr;
// [External] and [Outcome] sample parts of the tree. Average strategies are exact
// probabilities ([Trainer.Profile]), so that [extensive.Sequences.Gains] says exactly how
// far they are from an equilibrium. They converge to one in games of two players of which
// one wins what the other loses.
//
// Poker games that are too large for a tree of all their cards are trained by packages cfr
// and mccfr.
package tabular
