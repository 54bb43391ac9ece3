package mccfr_test

import (
	"context"
	"fmt"

	"gamebots/acpc"
	"gamebots/configs"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/cfr/publictree"
)

// rulesOf returns a game that comes with the program.
func rulesOf(name string) *acpc.Game {
	_, text, err := configs.GameText(name)
	if err != nil {
		panic(err)
	}
	rules, err := acpc.ParseGame(name, text)
	if err != nil {
		panic(err)
	}
	return rules
}

// Train Kuhn poker by external sampling, and evaluate the average strategy exactly.
func Example() {
	rules := rulesOf("kuhn")
	cards := abstraction.New(rules, abstraction.Lossless)
	game, err := mccfr.NewGame(rules, betting.Actions{}, cards)
	if err != nil {
		panic(err)
	}
	trainer := mccfr.NewSampler(game, mccfr.Method{Batch: 1}, 1, 1)
	for range 200_000 {
		trainer.Step()
	}
	layout := publictree.NewLayout(betting.NewTree(rules, game.Shape), cards)
	e := publictree.NewEvaluator(layout, 1).Evaluate(trainer.Weights())
	fmt.Printf("the first position's value is %.2f chips\n", e.Value[0])
	// Output: the first position's value is -0.06 chips
}

// Where a game is too large for an exact evaluation, a learned response bounds the
// exploitability from below.
func ExampleTable_NewResponse() {
	rules := rulesOf("leduc")
	game, err := mccfr.NewGame(rules, betting.Actions{}, abstraction.NewBoardless(rules))
	if err != nil {
		panic(err)
	}
	trainer := mccfr.NewSampler(game, mccfr.Method{Batch: 1}, 1, 1)
	for _, iterations := range []uint64{100, 10_000, 200_000} {
		for trainer.Iterations() < iterations {
			trainer.Step()
		}
		response, err := trainer.NewResponse(2)
		if err != nil {
			panic(err)
		}
		response.Learn(50_000)
		won, _, err := response.Value(context.Background(), 20_000, 3)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%d iterations: a response wins %.1f chips a hand\n", trainer.Iterations(), won)
	}
	// Output:
	// 100 iterations: a response wins 1.9 chips a hand
	// 10000 iterations: a response wins 0.3 chips a hand
	// 200000 iterations: a response wins 0.1 chips a hand
}
