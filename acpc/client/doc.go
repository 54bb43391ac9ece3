// Package client is a bot's end of the ACPC wire: it reads match states from
// a dealer, asks a Player when it is the bot's turn and sends the answer.
//
//	conn, err := client.Dial(ctx, "127.0.0.1:18791", 0)
//	…
//	c := client.Client{Game: game, Player: bot, OnResult: record}
//	err = c.Play(ctx, conn)
//
// A match is any number of hands over one connection. The dealer ends it by
// closing, and Play then returns nil. Everything else that a dealer can do
// wrong is an error that names the hand: closing in the middle of one
// (io.ErrUnexpectedEOF) or before the first (ErrNoHands), silence longer than
// Client.Idle, a line longer than acpc.MaxLine, a line that is not exactly a
// match state of the game (LineError).
//
// The wire format is described in docs/acpc-protocol.md. The package never
// logs; it returns and calls back.
package client
