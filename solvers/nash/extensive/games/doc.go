// Package games has the rules of shipped extensive games: liar's dice and goofspiel, which papers on imperfect
// information compare algorithms on.
//
// Both are also examples of games of one's own: a position is a small struct, and three methods are all the
// rules.
package games
