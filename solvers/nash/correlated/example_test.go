package correlated_test

import (
	"context"
	"fmt"

	"gamebots/solvers/nash/correlated"
	"gamebots/solvers/nash/game"
)

// In Aumann's game of chicken the best correlated equilibrium has a welfare of 21/2,
// the best Nash equilibrium one of 9.
func ExampleSolve() {
	g, err := game.New("chicken", [][]int64{{6, 2}, {7, 0}}, [][]int64{{6, 7}, {2, 0}})
	if err != nil {
		fmt.Println(err)
		return
	}
	n := g.NormalForm()
	welfare := correlated.Welfare(n)
	s, err := correlated.Solve(context.Background(), n, correlated.Correlated, welfare)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Probability, s.Value, s.Verify(n, welfare))
	// Output: [1/2 1/4 1/4 0/1] 21/2 <nil>
}
