// Package matrixbot has bots that play matrix games in rounds: [Random], and
// [Equilibrium], which computes all Nash equilibria of the game and plays one. Both
// are a hexproto.Player, of which [Bot] makes a hexproto.Bot, for use at a server and
// within one. [Rules] are the rules with a reader of game files.
//
// Of several equilibria, Equilibrium plays the one with the largest sum of payoffs,
// so that two such bots choose the same one; among equal sums one with equal
// payoffs; and then the first. In each round it draws an action from the mixed
// strategy, with the exact probabilities up to 2^-128.
//
// A bot's moves depend on its seed and the game's name only: its tag, or its id if
// it has no tag.
package matrixbot
