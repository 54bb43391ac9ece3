package policy_test

import (
	"fmt"
	"os"
	"path/filepath"

	"gamebots/configs"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

// Train Kuhn poker, and print what the second player does after a bet.
func ExamplePolicy_All() {
	folder, err := os.MkdirTemp("", "example-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "kuhn.strategy")
	game, err := configs.Game("kuhn")
	if err != nil {
		panic(err)
	}
	layout, err := publictree.Prepare(game, betting.Actions{}, abstraction.Lossless, 1<<30)
	if err != nil {
		panic(err)
	}
	trainer := cfr.NewTrainer(layout, cfr.Algorithms[0], 1)
	for range 1000 {
		trainer.Step()
	}
	if err := trainer.Save(file, strategy.Meta{}); err != nil {
		panic(err)
	}

	p, err := policy.Open(file, 1<<30, nil)
	if err != nil {
		panic(err)
	}
	defer p.Close()
	for set, err := range p.All() {
		if err != nil {
			panic(err)
		}
		if set.Betting == "r" {
			fmt.Printf("%v: call with probability %.2f\n", set.Deal.Hole, set.Choices[1].Probability)
		}
	}
	// Output:
	// Qs: call with probability 0.00
	// Ks: call with probability 0.33
	// As: call with probability 1.00
}
