// Package havannah is bots that play Havannah: Random, who is beaten by all, and
// Playouts, who rates moves by random games. Both are a hexproto.Bot, at a server
// and within one.
//
// Given a seed, and time enough, a bot plays the same moves in games of the same
// tag, and where a game has none of the same id: what it does depends on nothing
// else, so a game that was broken off and resumed goes the same way.
package havannah
