// Package client plays poker at an ACPC dealer: it reads match states from a
// connection, asks an [acpc.Player] when it is the bot's turn, and sends the answer.
//
//	conn, err := client.Dial(ctx, "127.0.0.1:18791", 0)
//	…
//	c := client.Client{Game: game, Player: bot, OnResult: record}
//	err = c.Play(ctx, conn)
//
// A match is any number of hands over one connection. The dealer ends it by closing the
// connection, and Play then returns nil. Faults of the dealer are errors that name the
// hand: a close in the middle of a hand (io.ErrUnexpectedEOF) or before the first
// ([ErrNoHands]), silence longer than Client.Idle, a line longer than acpc.MaxLine, and a
// line that is not exactly a match state of the game ([LineError]). Other faults do not end the
// match, see [Client].OnRecorded and OnFault.
//
// docs/acpc-protocol.md describes the wire format. The package does not log; it returns
// errors and calls back.
//
// docs/api.txt lists the names of this package that are kept.
package client
