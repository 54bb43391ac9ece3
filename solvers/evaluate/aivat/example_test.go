package aivat_test

import (
	"fmt"
	"os"
	"path/filepath"

	"gamebots/acpc"
	"gamebots/configs"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/evaluate/aivat"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

// Estimate two hands of Kuhn poker without a bet: one wins a chip, the other loses
// one, and both estimates are the value of the game.
func Example() {
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
	s, err := aivat.ReadStrategy(p, nil)
	if err != nil {
		panic(err)
	}
	estimator, err := aivat.New(s, s, true) // both players' strategies are known
	if err != nil {
		panic(err)
	}
	deck := game.Deck()
	for _, holes := range [][2]int{{0, 1}, {1, 0}} {
		hand := game.NewState(0)
		hand.Holes[0][0], hand.Holes[1][0] = deck[holes[0]], deck[holes[1]]
		for !hand.Finished() {
			hand.Apply(acpc.Action{Type: acpc.Call})
		}
		estimate, err := estimator.Estimate(&hand, 0)
		if err != nil {
			panic(err)
		}
		fmt.Printf("won %+.0f, estimate %+.3f\n", hand.Value(0), estimate)
	}
	// Output:
	// won -1, estimate -0.056
	// won +1, estimate -0.056
}
