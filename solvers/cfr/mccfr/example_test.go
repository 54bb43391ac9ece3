package mccfr_test

import (
	"fmt"

	"gamebots/acpc"
	"gamebots/configs"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/mccfr"
)

func Example() {
	_, text, err := configs.GameText("kuhn")
	if err != nil {
		panic(err)
	}
	rules, err := acpc.ParseGame("kuhn", text)
	if err != nil {
		panic(err)
	}
	cards := abstraction.New(rules, abstraction.Lossless)
	game, err := mccfr.NewGame(rules, betting.Actions{}, cards)
	if err != nil {
		panic(err)
	}
	trainer := mccfr.NewSampler(game, mccfr.Method{Sampling: mccfr.External, Batch: 1}, 1, 1)
	for range 200_000 {
		trainer.Step()
	}
	layout := cfr.NewLayout(betting.NewTree(rules, game.Shape), cards)
	e := cfr.NewEvaluator(layout, 1).Evaluate(trainer.Weights())
	fmt.Printf("the first position's value is %.2f chips\n", e.Value[0])
	// Output: the first position's value is -0.06 chips
}
