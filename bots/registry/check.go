package registry

import (
	"context"
	"encoding/json"
	"fmt"

	"gamebots/bots/arena"
	"gamebots/configs"
	"gamebots/cudalib"
	"gamebots/hexproto"
	"gamebots/hexproto/boards"
)

// CheckBoard checks what the settings of a board-game bot cannot check without the games and
// the bots: their names, and whether the games that it accepts and proposes exist. It
// returns nil or a *configs.Error with a Key.
func CheckBoard(b *configs.BoardBot) error {
	var games []string
	for _, r := range Rules {
		games = append(games, r.About().Name)
	}
	rules := RulesNamed(b.Engine.Rules)
	if rules == nil {
		return configs.NotOneOf("engine.rules", b.Engine.Rules, games)
	}
	kinds := append(kindsOf(b.Engine.Rules), "gtp")
	if b.Engine.Kind != "gtp" {
		if _, err := Bot(configs.Engine{Rules: b.Engine.Rules, Kind: b.Engine.Kind}); err != nil {
			return configs.NotOneOf("engine.kind", b.Engine.Kind, kinds)
		}
	}
	if _, err := cudalib.ParseChoice(b.Engine.Device); err != nil {
		return &configs.Error{Key: "engine.device", Err: err}
	}
	if b.Engine.Rules == boards.HavannahName {
		for _, side := range b.Accept.Sides {
			if _, err := rules.New(boards.HavannahOptions{Side: int(min(side, 1<<20))}.JSON()); err != nil ||
				side == 0 {
				return &configs.Error{
					Key: "accept.sides", Msg: fmt.Sprintf("there is no board of side %d", side), Err: err,
				}
			}
		}
	}
	if o := b.Challenge.Options; o != "" {
		if _, err := rules.New(json.RawMessage(o)); err != nil {
			return &configs.Error{Key: "challenge.options", Err: err}
		}
	}
	return nil
}

// CheckGames returns why a bot cannot play at a server, at all or the games that the settings name.
func CheckGames(ctx context.Context, bot hexproto.Bot, s *configs.BoardBot) error {
	options := []json.RawMessage{}
	if s.Challenge.Enabled && s.Challenge.Options != "" {
		options = append(options, json.RawMessage(s.Challenge.Options))
	}
	if s.Engine.Rules == boards.HavannahName && s.Accept.Enabled {
		for _, side := range s.Accept.Sides {
			options = append(options, boards.HavannahOptions{Side: int(side)}.JSON())
		}
	}
	if len(options) == 0 {
		return hexproto.Check(ctx, bot, nil)
	}
	for _, o := range options {
		if err := (arena.Contestant{Bot: bot}).Check(ctx, RulesNamed(s.Engine.Rules), o); err != nil {
			return err
		}
	}
	return nil
}
