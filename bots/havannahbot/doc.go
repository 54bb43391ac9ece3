// Package havannahbot has bots that play Havannah: [Random] moves at random, [Playouts]
// rates moves by random games, [MCTS] searches a tree. All are a hexproto.Player,
// of which [Bot] makes a hexproto.Bot, for use at a server and within one. [Rules] are
// the rules with an analyst.
//
// With a fixed amount of work, a bot's moves depend on its seed, the position and
// the game's name only: its tag, or its id if it has no tag. So a game that was
// broken off and resumed goes on the same way.
package havannahbot
