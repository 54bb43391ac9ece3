package policy_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"gamebots/configs"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/policy"
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
	job := train.Job{File: file, Spec: train.Spec{GameSpec: policy.GameSpec{Game: game, Cards: "lossless"}}}
	job.Goal.Iterations = 1000
	if _, err := train.Run(context.Background(), job); err != nil {
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
