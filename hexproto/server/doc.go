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
// A bot is a [gamebots/hexproto.Bot] with a name, an [engines.Bot] in Config.Bots. The
// server treats it like any player: it has an account, a rating and clocks.
//
// # Structure
//
// A connection (conn) decodes messages, and the Server dispatches them to its parts:
// accounts, the lobby with its challenges, and games, each at a table. A table joins
// three things: who sits there and how their clocks stand (seating), how far the game
// has come by its rules (position), and what describes it in the database (record).
//
// One lock guards the state of all parts, and only the lock hands it out: as a *state to who reads it, and in
// a *transaction to an operation (core.locked). Methods of what is in the state therefore have the lock. Other code
// keeps references to tables, and gives them back for the table once it has the lock. An operation fills its
// transaction: the rows to write, and the messages to send. The store writes transactions in their order and sends a
// transaction's messages once its rows are on disk.
//
// What the host wants comes through the database, too: commands in other processes write changed
// tokens, bans and orders into it, and the server looks for them every second. A journal logs who
// signs in, and what is refused to whom.
//
// What takes long is done before the lock is taken: rules start a game, or replay one
// that is over. What many connections are told is encoded once, above all the lobby.
//
// The package is large because of that lock. What is large and needs no lock is in packages below
// it: the database, searches of records, limits, ratings, the bots' turns to think. The
// seam between tables and the lobby was considered, and rejected: a challenge that is
// accepted begins a game of accounts, a game that ends changes accounts and the lobby's
// list, and a connection that comes or goes concerns them all. Two packages would reach
// into each other's state with every operation, under a lock that neither owns.
package server
