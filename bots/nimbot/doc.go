// Package nimbot has bots that play Nim: [XOR], which plays perfectly by the XOR rule, or
// at random, and [Minimax], which searches, on a GPU if there is one. Each is a
// hexproto.Player, of which [Bot] makes a hexproto.Bot, for use at a server and within one.
//
// With a fixed amount of work, a bot's moves depend on its seed, the position and
// the game's name only: its tag, or its id if it has no tag. So a game that was
// broken off and resumed goes on the same way.
package nimbot
