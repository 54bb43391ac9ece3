// Package dealer runs poker matches: it deals from a seed, asks the players
// in turn, and keeps the score and the log of the original ACPC server.
//
// A Match says what is played. Match.Play plays it in process, between values
// that implement Player; it is exact, fast and without sockets. Match.Serve
// plays it over connections, one a seat, as Listen and Lobby.Accept bring
// them:
//
//	match := dealer.Match{Name: "demo", Game: game, GameFile: "leduc.game",
//		Hands: 3000, Seed: 42, Names: []string{"Alice", "Bob"}, Limits: dealer.DefaultLimits}
//	lobby, err := dealer.Listen("127.0.0.1", 0, 0) // any two free ports
//	…
//	conns, err := lobby.Accept(ctx, match.Limits.Start)
//	…
//	score, err := match.Serve(ctx, conns, dealer.Output{Log: file, Errors: os.Stderr})
//
// Both ways give the same log for the same actions. A seat is a player over
// the whole match, a position its place in one hand: in hand h position p is
// seat (p+h) mod n. The cards go to positions, so that the same seed with
// the names moved by a seat is the duplicate match.
//
// Over the wire a bad answer does not end a match (the reactions are those of
// the original, see docs/acpc-protocol.md); a lost connection or an answer out
// of time does, with a SeatError. The hands finished by then are in the log.
package dealer
