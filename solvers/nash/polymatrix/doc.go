// Package polymatrix finds all Nash equilibria of polymatrix games, exactly. In these a player's
// payoff is the sum of payoffs of games of two against each other player (Yanovskaya 1968), so
// that, given the supports, equilibria solve linear equations (Howson, "Equilibria of polymatrix
// games", Management Science 1972).
//
// The search decides for one strategy after the other whether it is not played or a best reply,
// and ends a branch where a linear program proves that no mixed strategies are left.
//
// A player may also play against its own kind. One such player is a population whose
// equilibria are the symmetric ones of a symmetric game of two.
package polymatrix
