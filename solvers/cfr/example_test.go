package cfr_test

import (
	"fmt"
	"os"
	"path/filepath"

	"gamebots/acpc/card"
	"gamebots/configs"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

// Train Leduc hold'em, save the strategy, and ask it for an opening action.
func Example() {
	folder, err := os.MkdirTemp("", "example-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "leduc.strategy")
	game, err := configs.Game("leduc")
	if err != nil {
		panic(err)
	}

	layout, err := publictree.Prepare(game, betting.Actions{}, abstraction.Lossless, 1<<30)
	if err != nil {
		panic(err)
	}
	trainer := cfr.NewTrainer(layout, cfr.Algorithms[0], 1)
	for range 200 {
		trainer.Step()
	}
	e := publictree.NewEvaluator(layout, 1).Evaluate(trainer.Weights())
	fmt.Printf("exploitability %.4f chips\n", e.Exploitability())
	if err := trainer.Save(file, strategy.Meta{}); err != nil {
		panic(err)
	}

	p, err := policy.Open(file, 1<<30, nil)
	if err != nil {
		panic(err)
	}
	defer p.Close()
	s := game.NewState(0)
	deck := game.Deck()
	s.Holes[0][0], s.Holes[1][0] = deck[0], deck[len(deck)-1]
	choices, err := p.Choices(nil, &s)
	if err != nil {
		panic(err)
	}
	for _, c := range choices {
		fmt.Printf("%v: %v with probability %.2f\n", card.Card(s.Holes[s.Actor()][0]), c.Action, c.Probability)
	}
	// Output:
	// exploitability 0.0018 chips
	// Qh: c with probability 0.92
	// Qh: r with probability 0.08
}
