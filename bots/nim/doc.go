// Package nim is bots that play Nim: Random, and XOR, who wins whatever can be
// won. Both are a hexproto.Bot, at a server and within one.
//
// Given a seed, a bot plays the same moves in games of the same tag, and where a
// game has none of the same id, so a game that was broken off and resumed goes
// the same way.
package nim
