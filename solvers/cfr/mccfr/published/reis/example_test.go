package reis_test

import (
	"fmt"
	"slices"

	"gamebots/acpc"
	"gamebots/configs"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/cfr/mccfr/published/reis"
)

// Train the smallest poker variant of the thesis by both programs for the CPU.
func Example() {
	_, text, err := configs.GameText("reis-a")
	if err != nil {
		panic(err)
	}
	rules, err := acpc.ParseGame("reis-a", text)
	if err != nil {
		panic(err)
	}
	game, err := mccfr.NewGame(rules, betting.Actions{}, abstraction.NewBoardless(rules))
	if err != nil {
		panic(err)
	}
	first, second := reis.NewDepthFirst(game, 1), reis.NewLevelOrder(game, 1, 2)
	for range 10_000 {
		first.Step()
		second.Step()
	}
	fmt.Printf("%d information sets, average utility %.2f\n", game.InfoSets(), first.AverageUtility())
	fmt.Println("same bits:", slices.Equal(first.Weights(), second.Weights()))
	// Output:
	// 16 information sets, average utility [-0.07 0.07]
	// same bits: true
}
