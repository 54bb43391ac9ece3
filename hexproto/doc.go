// Package hexproto defines the interface of a bot for board games. The same bot plays at a
// server (bots/bridge), within one (hexproto/server), in an arena (bots/arena) and as a
// GTP engine (bots/proc).
//
// # Writing a bot
//
// A bot of a game's rules is a [Player], and [PlayerBot] makes a [Bot] of it. Open is
// called once for each game, also for a resumed one, and returns a [Decider]. Its Decide
// is then called with the position whenever the seat is to move, and with the time for the
// move. It returns a move as the rules write it, or a resignation. When the context of
// Decide ends, time is up: the decider returns its best move so far, or the context's
// error.
//
// A decider that is a [PonderingDecider] may think in the opponent's time. One that is a
// [DrawDecider] is asked about draws; without it they are refused.
//
// A bot of a protocol of its own, such as GTP, is a [Bot] itself. It gets states of the game,
// with options, clock, names, and the moves so far, and compares those with the moves that
// it knows, because a takeback may have changed them. Its [Engine] divides the time.
//
// The messages are in [gamebots/hexproto/wire]; docs/hexproto.md describes them. The
// connection to a server is in [gamebots/hexproto/client].
//
// docs/api.txt lists the names of this package that are kept.
package hexproto
