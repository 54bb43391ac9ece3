package publictree_test

import (
	"fmt"

	"gamebots/configs"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
)

// Value the strategy for Kuhn poker that plays every action with the same probability.
func Example() {
	game, err := configs.Game("kuhn")
	if err != nil {
		panic(err)
	}
	layout, err := publictree.Prepare(game, betting.Actions{}, abstraction.Lossless, 1<<20)
	if err != nil {
		panic(err)
	}
	e := publictree.NewEvaluator(layout, 1).Evaluate(make([]float32, layout.Entries))
	fmt.Printf("%d information sets, exploitability %.4f chips\n", layout.InfoSets(), e.Exploitability())
	// Output: 12 information sets, exploitability 0.4583 chips
}
