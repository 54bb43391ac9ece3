// Package dealer runs poker matches: it deals from a seed, asks the players
// in turn, and keeps the score and the log of the original ACPC server.
//
// A [Match] has the game, the number of hands, the seed and the names. [Match.Play]
// plays it in process, between values that implement [acpc.Player]; it is fast and
// needs no sockets. [Match.Serve] plays it over connections, one for each seat, and
// [Match.Host] over the connections that players open to a [Lobby]:
//
//	match := dealer.Match{Name: "demo", Game: game, GameFile: "leduc.game",
//		Hands: 3000, Seed: 42, Names: []string{"Alice", "Bob"}, Limits: dealer.DefaultLimits}
//	lobby, err := dealer.Listen("127.0.0.1", 0, 0) // any two free ports
//	…
//	score, err := match.Host(ctx, lobby, dealer.Record{Log: file, Messages: os.Stderr})
//
// All three give the same log for the same actions. A seat is a player over the whole
// match, a position its place in one hand: in hand h position p is seat (p+h) mod n.
// Cards are dealt to positions, so the same seed with the names moved by one seat is
// the duplicate match.
//
// Over the wire an invalid answer does not end the match: the reactions are those of
// the original, see docs/acpc-protocol.md. A lost connection or a late answer does,
// with a [SeatError]. The log then has the finished hands, and with
// Record.Transactions a match can be resumed even after its dealer was killed.
// [Replay] verifies a log.
//
// [Program] is the original's command, with its arguments, output and files;
// docs/acpc-dealer.md is its manual.
//
// # Differences
//
// The dealer works where the original hangs, ends silently, overwrites its memory or
// loses chips. Differences that change a result are undone by Match.StrictOriginal with
// a game of acpc.ParseOriginal, which is the option --strict-original:
//
//   - If all players are all-in from the blinds, the hand is over at once, with a
//     showdown. The original hangs; strict mode refuses the match.
//   - A showdown without chips (no blinds, all check) is worth 0 to all. The original
//     aborts; in strict mode the match ends with an error.
//   - In a limit game a stack too short to raise above the bet cannot raise: its raise
//     is played as a call, with the warning for invalid actions. In the original, and
//     in strict mode, it lowers the bet and chips may vanish.
//   - More than four raise sizes are an error; the original writes them over other
//     parts of the game, and strict mode plays that game. Games that cannot be played,
//     such as one with more than seven board cards, are an error in both modes.
//   - After a resume the log gets the hand that a killed dealer had finished but not
//     logged, and an incomplete last line is cut off. Strict mode takes the files as
//     they are.
//
// These end the match in both modes; the original hangs or is killed:
//
//   - A player does not read its messages for 30 seconds, or has closed its connection:
//     "could not send state to seat N". The original waits forever, or dies of SIGPIPE
//     without the log's header.
//   - A connected player sends no version within ten minutes.
//   - A player sends comments without end: its seat is out of time when the time of a
//     whole hand has passed since it was asked.
//   - --start_timeout 0 is no time at all; in the original it may also mean forever.
//
// Other differences show in special cases only. The log has its header from the start,
// not from the first hand on. Standard error is written before each wait, not line by
// line, and may be closed. The player to act is sent its message first, so the times of
// TO lines need not ascend. A line of the log may be longer than 4095 bytes. Times of
// more than 292 years count as 292 years.
//
// docs/api.txt lists the names of this package that are kept.
package dealer
