// Package nim is bots that play Nim: Random, XOR, who wins whatever can be won, and
// Minimax, who finds out by searching, on a GPU where there is one. Each is a
// hexproto.Bot, at a server and within one.
//
// Given a seed, a bot plays the same moves in games of the same tag, and where a
// game has none of the same id, so a game that was broken off and resumed goes
// the same way.
package nim
