// Package hand evaluates poker hands: a [Ranking] maps the cards that a player can use to
// a number, and the larger number wins.
//
// There are two rankings. [ACPC] is that of the original server and of poker in general:
// the best five of up to ten cards, with an ace low in a straight to the five; with fewer
// than five cards only the ranks and their counts matter. The order of the categories is
// the same for reduced decks. [ThreeCard] is the ranking of Rhode Island hold'em.
//
// A number consists of a category and two sets of ranks, see [Ranking.Rank]. Up to seven
// cards take a fast path of bit operations; more cards take the simple evaluator that is
// its specification. There are no tables and no initialisation. All functions are safe for
// concurrent use.
package hand
