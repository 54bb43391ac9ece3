package registry

import (
	"math"
	"testing"

	"gamebots/bots/havannahbot"
	"gamebots/configs"
	"gamebots/hexproto"
	"gamebots/hexproto/boards"
)

// More work than can be counted is as much as can be, not less than none.
func TestBoardBotOfMuchWork(t *testing.T) {
	for _, kind := range []string{"mcts", "playouts"} {
		bot, err := Bot(configs.Engine{
			Rules: boards.HavannahName, Kind: kind, Simulations: math.MaxUint64, Playouts: math.MaxUint64,
		})
		var work int
		switch p := bot.(hexproto.PlayerBot).Player.(type) {
		case havannahbot.MCTS:
			work = p.Simulations
		case havannahbot.Playouts:
			work = p.Games
		}
		if err != nil || work != math.MaxInt {
			t.Errorf("%s does %d, %v", kind, work, err)
		}
	}
}
