package arena_test

import (
	"context"
	"fmt"

	"gamebots/acpc"
	"gamebots/bots/arena"
	"gamebots/bots/nim"
	"gamebots/bots/poker"
	"gamebots/configs"
	"gamebots/hexproto/boards"
)

func ExampleInProcessMatch() {
	name, text, err := configs.GameText("kuhn")
	if err != nil {
		fmt.Println(err)
		return
	}
	game, err := acpc.ParseGame(name, text)
	if err != nil {
		fmt.Println(err)
		return
	}
	raise, _ := poker.NewOpponent("raise", 0)
	fold, _ := poker.NewOpponent("fold", 0)
	match := arena.InProcessMatch{Game: game, Hands: 100, Seed: 1, A: raise, B: fold}
	won, err := match.Play(context.Background())
	fmt.Println(won.Mean(), won.Interval95(), err)
	// Output: 1 0 <nil>
}

func ExampleSeries() {
	series := arena.Series{
		Rules: boards.Nim{}, A: arena.Contestant{Name: "perfect", Bot: nim.XOR{}},
		B:     arena.Contestant{Name: "random", Bot: nim.Random{Seed: 1}},
		Games: 4, Seed: 1,
	}
	var score arena.WinDrawLoss
	err := series.Play(context.Background(), 0, func(g *arena.GameRecord) (more bool, err error) {
		score.Add(g.Score)
		return true, nil
	})
	fmt.Println(score.Games(), score.Draws, err)
	// Output: 4 0 <nil>
}
