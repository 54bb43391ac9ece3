package configs_test

import (
	"fmt"

	"gamebots/configs"
)

func ExampleLoad() {
	settings := configs.DefaultPoker()
	if err := configs.Load("poker.toml", &settings, []string{"bot.kind=random", "bot.seed=7"}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(settings.Bot.Kind, settings.Bot.Seed, settings.Match.DecisionTimeout)

	err := configs.Load("", &settings, []string{"bot.sede=7"})
	fmt.Println(err)
	// Output:
	// random 7 5s
	// command line: bot.sede: unknown key, the nearest is bot.seed
}

func ExampleGame() {
	game, err := configs.Game("leduc")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(game.NumPlayers, "players,", game.NumRounds, "rounds,", game.NumSuits*game.NumRanks, "cards")
	// Output:
	// 2 players, 2 rounds, 6 cards
}

func ExampleGameText() {
	_, _, err := configs.GameText("ledcu")
	fmt.Println(err)
	// Output:
	// ledcu: neither a file nor a shipped game
}
