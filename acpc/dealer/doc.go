// Package dealer runs poker matches: it deals from a seed, asks the players
// in turn, and keeps the score and the log of the original ACPC server.
//
// A Match says what is played. Match.Play plays it in process, between values
// that implement Player; it is exact, fast and without sockets. Match.Serve
// plays it over connections, one a seat, and Match.Host over those that come to
// a Lobby:
//
//	match := dealer.Match{Name: "demo", Game: game, GameFile: "leduc.game",
//		Hands: 3000, Seed: 42, Names: []string{"Alice", "Bob"}, Limits: dealer.DefaultLimits}
//	lobby, err := dealer.Listen("127.0.0.1", 0, 0) // any two free ports
//	…
//	score, err := match.Host(ctx, lobby, dealer.Record{Log: file, Messages: os.Stderr})
//
// All ways give the same log for the same actions. A seat is a player over
// the whole match, a position its place in one hand: in hand h position p is
// seat (p+h) mod n. The cards go to positions, so that the same seed with
// the names moved by a seat is the duplicate match.
//
// Over the wire a bad answer does not end a match (the reactions are those of
// the original, see docs/acpc-protocol.md); a lost connection or an answer out
// of time does, with a SeatError. The hands finished by then are in the log, and
// with Record.Transactions even a match whose dealer was killed can be gone on
// with. Replay verifies a log.
//
// Program is all of this as the original's command, with its arguments, output
// and files; docs/acpc-dealer.md is its manual.
//
// # Differences
//
// Where the original hangs, ends without a word, overwrites its memory or loses
// chips, the dealer does not. What changes a result is turned back by
// Match.StrictOriginal with a game of acpc.ParseOriginal, or --strict-original:
//
//   - All players all-in from the blinds: the hand is over at once, with a
//     showdown. The original hangs; strictly, the match is refused.
//   - A showdown without chips (no blinds, all check) is worth 0 to all. The
//     original aborts; strictly, the match ends with an error.
//   - In a limit game a stack too short to raise above the bet cannot raise: its
//     raise is played as a call, with the warning for invalid actions. In the
//     original it lowers the bet and chips may vanish; strictly, they do.
//   - More than four raise sizes are an error where the original writes them
//     over other parts of the game. Strictly, it is the game that comes of it.
//     What cannot be played, such as more than seven board cards, is an error in
//     both.
//   - After a resume the log gets the hand that a killed dealer had finished but
//     not logged, and the torn last line of a file is cut off. Strictly, the
//     files are taken as they are.
//
// These end the match in both ways, where the original hangs or is killed:
//
//   - A player who does not take its messages for 30 seconds or has closed its
//     connection: "could not send state to seat N". The original waits for ever,
//     or dies by SIGPIPE without the log's header.
//   - A player who is connected and states no version within ten minutes.
//   - Comments without end: a seat is out of time when the time of a whole hand
//     is over since it was asked.
//   - --start_timeout 0 is no time; in the original it is that, or for ever.
//
// The rest is to be seen in special cases only. The header is in the log from
// the start, not from the first hand on. Standard error is written before each
// wait, not line by line, and may be closed. Who is to act is sent its message
// first, so that times of TO lines may not ascend. A log's line may be longer
// than 4095 bytes. Times of more than 292 years count as 292 years.
package dealer
