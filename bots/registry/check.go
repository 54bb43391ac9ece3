package registry

import (
	"encoding/json"
	"fmt"

	"gamebots/configs"
	"gamebots/cudalib"
	"gamebots/hexproto/boards"
)

// CheckBoard checks what the settings of a board-game bot cannot check without the games and
// the bots: their names, and whether the games that it accepts and proposes exist. It
// returns nil or a *configs.Error with a Key.
func CheckBoard(b *configs.Board) error {
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
			if _, err := rules.New(boards.HavannahOptions{Side: int(min(side, 1<<20))}.JSON()); err != nil || side == 0 {
				return &configs.Error{Key: "accept.sides", Msg: fmt.Sprintf("there is no board of side %d", side), Err: err}
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
