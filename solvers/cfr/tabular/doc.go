// Package tabular trains any extensive game with perfect recall by counterfactual regret
// minimisation, with a table of regrets for its information sets.
//
// Games are those of package extensive: files of Gambit, games of one's own by their rules,
// and poker by [OfPoker], where deals that look alike to all players are one chance move: players see
// the buckets of a card abstraction, and with a lossless one the game has the same equilibria and payoffs
// as with all its cards. The variants of full traversals are those of package cfr;
// they use the sequence form, in which an iteration costs a multiplication for each leaf and
// player. [External] samples parts of the tree.
//
// [Trainer.Evaluate] says in floats how far the average strategies are from an equilibrium,
// and [Evaluate] does for any profile. [Trainer.Profile] has exact probabilities, of which
// [extensive.Sequences.Gains] says the same in fractions. They converge to an equilibrium in
// games of two players of which one wins what the other loses.
//
// Poker games that are too large for a tree of all their cards are trained by packages cfr
// and mccfr.
package tabular
