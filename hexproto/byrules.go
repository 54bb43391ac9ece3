package hexproto

import (
	"context"
	"fmt"

	"gamebots/hexproto/wire"
)

// ByRules is a bot that plays several games: for the name of each, a bot that
// plays it.
type ByRules map[string]Bot

var _ Bot = ByRules{}

// Open has the bot of the game's rules open it.
func (b ByRules) Open(ctx context.Context, game *wire.Game, seat int) (Engine, error) {
	bot, ok := b[game.Rules]
	if !ok {
		return nil, fmt.Errorf("%s is not one of the games that are played", game.Rules)
	}
	return bot.Open(ctx, game, seat)
}
