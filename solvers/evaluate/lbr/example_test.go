package lbr_test

import (
	"context"
	"fmt"

	"gamebots/configs"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/evaluate/lbr"
	"gamebots/solvers/policy"
)

// Judge a player who always folds: it loses the small blind in one position and the big blind
// in the other.
func Example() {
	game, err := configs.Game("holdem-nolimit-2p")
	if err != nil {
		panic(err)
	}
	menu, err := lbr.ParseMenu("fcpa")
	if err != nil {
		panic(err)
	}
	judge, err := lbr.New(game, lbr.Options{Menu: menu})
	if err != nil {
		panic(err)
	}
	outcome, err := judge.Deal(context.Background(), belief.NewPlain(policy.PlainFold), 1, 0)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.1f chips of a big blind of %d\n", outcome.Estimated, game.MaxBlind())
	// Output: 75.0 chips of a big blind of 100
}
