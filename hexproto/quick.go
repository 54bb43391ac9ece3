package hexproto

import "gamebots/hexproto/wire"

// QuickBot is a bot that plays some games in next to no time and memory. A server does
// not make them wait for those that search.
type QuickBot interface {
	// Quick reports whether opening a game and each decision in it take a millisecond
	// or so.
	Quick(game *wire.Game) bool
}

// Quick reports whether a bot is a QuickBot that plays a game quickly.
func Quick(b Bot, game *wire.Game) bool {
	q, ok := b.(QuickBot)
	return ok && q.Quick(game)
}
