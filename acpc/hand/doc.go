// Package hand orders poker hands: a [Ranking] turns the cards that a player
// can use into a number, and the larger number wins.
//
// Two orders are known. [ACPC] is that of the original server and of poker at
// large: the best five of up to ten cards, an ace playing low in the straight
// to the five; under five cards only ranks and how often they occur count. It
// is the same for every deck: in a short one no category moves. [ThreeCard] is
// the order of Rhode Island hold'em.
//
// A number is a category and two sets of ranks, see [Ranking.Rank]. Up to seven
// cards take a fast path of bit operations, more go through the plain evaluator
// that is its specification. There are no tables and there is nothing to
// initialise. Everything may be called from any number of goroutines.
package hand
