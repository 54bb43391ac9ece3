package multiplayer_test

import (
	"context"
	"fmt"

	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/multiplayer"
)

// A game of three players with two strategies each that has nine equilibria (McKelvey
// and McLennan 1996).
func ExampleSolve() {
	g, err := game.ReadNormalForm("game.nfg", []byte(`NFG 1 R "" { "a" "b" "c" } { 2 2 2 }
		9 8 12 0 0 0 0 0 0 9 8 2 0 0 0 3 4 6 3 4 6 0 0 0`))
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := multiplayer.Solve(context.Background(), g, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(r.Equilibria), "equilibria,", r.Undecided, "undecided")
	fmt.Println(r.Equilibria[0].Strategies, r.Equilibria[0].Payoffs)
	// Output:
	// 9 equilibria, 0 undecided
	// [[1 0] [1 0] [1 0]] [9 8 12]
}
