package arena_test

import (
	"context"
	"fmt"

	"gamebots/bots/arena"
	"gamebots/bots/nimbot"
	"gamebots/hexproto/boards"
)

func ExampleSeries() {
	series := arena.Series{
		Rules: boards.Nim{}, A: arena.Contestant{Name: "perfect", Bot: nimbot.Bot(nimbot.XOR{})},
		B:     arena.Contestant{Name: "random", Bot: nimbot.Bot(nimbot.XOR{Seed: 1, Slips: 1})},
		Games: 4, Seed: 1,
	}
	var score arena.Standing
	err := series.Play(context.Background(), 0, func(g *arena.GameRecord) (more bool, err error) {
		score.Add(g.Score)
		return true, nil
	})
	fmt.Println(score.Games(), score.Draws, err)
	// Output: 4 0 <nil>
}
