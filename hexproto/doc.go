// Package hexproto defines what a bot for board games is: a [Bot] opens an [Engine]
// for each game that it plays, and the engine decides on moves. The same bots play
// at a server (bots/bridge), within a server (hexproto/server) and in the arena.
// A program's connection to a server is [gamebots/hexproto/client].
//
// # Writing a bot
//
// A Bot's Open is called once for each game, also for one that was resumed, and
// gets the game's state: rules, options, clock, names, and the moves so far.
// Then Decide is called with the state whenever the seat is to move, from one
// goroutine at a time. The state is the whole truth; an engine that keeps a
// position of its own compares the moves first, because a takeback or a resumed
// game can differ. What an engine returns is a move as the rules write it, or a
// resignation. When its context ends, time is up: an engine returns the best
// that it has, or the context's error.
//
// An engine that also is a Ponderer may think while the other is to move, one
// that is a Judge is asked about offers; without it draws are refused.
//
// The messages are in [gamebots/hexproto/wire]; docs/hexproto.md describes them.
package hexproto
