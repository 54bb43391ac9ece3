// Package hexproto defines the interface of a bot for board games. The same bot plays at a
// server (bots/bridge), within one (hexproto/server), in an arena (bots/arena) and as a
// GTP engine (bots/proc).
//
// # Writing a bot
//
// Open of a [Bot] is called once for each game, also for a resumed one. It gets the
// game's state: rules, options, clock, names, and the moves so far. It returns an
// [Engine], whose Decide is then called with the state whenever the seat is to move,
// from one goroutine at a time. An engine that keeps a position of its own compares
// the moves first, because a takeback may have changed them. It returns a move as the
// rules write it, or a resignation. When the context of Decide ends, time is up: the
// engine returns its best move so far, or the context's error.
//
// An engine that is a [Ponderer] may think in the opponent's time. One that is a
// [Judge] is asked about offers; without it draws are refused.
//
// The messages are in [gamebots/hexproto/wire]; docs/hexproto.md describes them. The
// connection to a server is in [gamebots/hexproto/client].
//
// docs/library.md promises to keep this package.
package hexproto
