// Package matrix is bots that play matrix games in rounds: Random, and
// Equilibrium, who finds all Nash equilibria of the game and plays one. Both are a
// hexproto.Bot, at a server and within one.
//
// Of several equilibria Equilibrium plays the one with the largest sum of payoffs,
// so that two of its kind meet in the same; where sums are equal, one that gives
// both the same, and then the first. In each round it draws an action from the
// mixture, exactly: probabilities are fractions, and so is the draw.
//
// Given a seed, a bot plays the same moves in games of the same tag, and where a
// game has none of the same id.
package matrix
