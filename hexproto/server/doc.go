// Package server is a server of board games that speaks hexproto; its protocol
// is described in docs/hexproto.md.
//
// # Adding a game
//
// A game is a Rules, whose New starts a Game: see both for what they have to do.
// They are called from many goroutines, each Game from one at a time. A Game is
// never stored: what the server keeps is options and moves, and it plays them
// again, so that the same options and moves must always give the same game.
//
// Most rules have one player to move in each turn. Where both move at once,
// ToMove says so, and the server keeps the first move secret until it has the
// second.
//
// A picture is a wire.Board that does not change and a wire.View that does; the
// page draws the kinds of board that docs/hexproto.md lists and shows text and
// buttons for any other.
//
// Rules join a server by Config.Rules. Those of this program are listed in
// hexgames.go at the root; the adapters of Havannah and Nim are in
// [gamebots/hexproto/boards].
//
// # Adding a bot
//
// A bot is a [gamebots/hexproto.Bot] with a name, a House in Config.Bots. The
// server plays it as it would a player: it has an account, a rating and clocks.
package server
