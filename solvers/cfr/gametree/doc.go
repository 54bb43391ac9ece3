// Package gametree gives poker games as extensive games, for solvers of these and for
// Gambit.
//
// Deals that look alike to all players are one chance move, with their number as its
// weight: players see the buckets of a card abstraction. With a lossless one the game has
// the same equilibria and payoffs as with all its cards.
package gametree
