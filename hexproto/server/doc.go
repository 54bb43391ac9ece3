// Package server is a server of board games over hexproto. docs/hexproto.md
// describes the protocol, [gamebots/hexproto/wire] has its messages.
//
// # Adding a game
//
// The rules of a game are a [game.Rules] in Config.Rules; [gamebots/hexproto/game]
// says what they have to do. The server calls rules from many goroutines, and each
// game from one at a time. It stores a game's options and moves only, and replays
// them after a restart. Of a [game.Dealer] it stores a secret seed, too: a [game.Hidden]
// shows each seat what it may see, and the server sends that to no one else.
//
// # Adding a bot
//
// A bot is a [gamebots/hexproto.Bot] with a name, a [gamebots/hexproto/engines.Bot] in Config.Bots. The
// server treats it like any player: it has an account, a rating and clocks.
//
// # Structure
//
// A connection (conn) decodes messages, and the Server dispatches them to its
// parts: accounts, the lobby with its challenges, and games, each game at a table.
// One lock guards the state of all parts. An operation under the lock fills a
// transaction: the rows to write, and the messages to send. The store writes
// transactions in their order and sends a transaction's messages once its rows are
// on disk.
package server
