// Package serverbot lets a program that plays at a server of board games
// (docs/hexproto.md) play in a series or a tournament, as a bot of this process.
//
// A [Bot] starts the program once, with the address of a server of its own on
// loopback, and challenges it to every game:
//
//	bot := &serverbot.Bot{Name: "theirs", Command: []string{"./theirs"}, Rules: boards.Havannah{}}
//	defer bot.Close()
//	series := arena.Series{Rules: boards.Havannah{}, A: arena.Contestant{Name: "theirs", Bot: bot}, …}
//
// The package imports the server, which is why it is not part of package arena.
package serverbot
