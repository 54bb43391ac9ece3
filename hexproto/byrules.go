package hexproto

import (
	"context"
	"fmt"

	"gamebots/hexproto/wire"
)

// ByRules is a bot that plays several games. It has a bot for the name of each
// game's rules.
type ByRules map[string]Bot

var _ interface {
	Bot
	QuickBot
} = ByRules{}

// Quick reports whether the bot of the game's rules is quick.
func (b ByRules) Quick(game *wire.Game) bool { return Quick(b[game.Rules], game) }

// Open opens the game with the bot of its rules.
func (b ByRules) Open(ctx context.Context, game *wire.Game, seat int) (Engine, error) {
	bot, ok := b[game.Rules]
	if !ok {
		return nil, fmt.Errorf("%s is not one of the games that this bot plays", game.Rules)
	}
	return bot.Open(ctx, game, seat)
}
