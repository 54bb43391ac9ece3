package bestresponse_test

import (
	"context"
	"fmt"

	"gamebots/configs"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/evaluate/bestresponse"
	"gamebots/solvers/policy"
)

// What the best responses to a player who always calls win in Leduc hold'em.
func Example() {
	game, err := configs.Game("leduc")
	if err != nil {
		panic(err)
	}
	tree := betting.NewTree(game, betting.Actions{}.ShapeOf(game, 1000))
	s, err := bestresponse.PlainStrategy(policy.PlainCall, tree)
	if err != nil {
		panic(err)
	}
	best, err := bestresponse.New(s).Exact(context.Background(), 1)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.4f %.4f chips\n", best[0], best[1])
	// Output: 1.4667 1.4667 chips
}
