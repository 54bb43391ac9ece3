package nash_test

import (
	"context"
	"fmt"

	"gamebots/solvers/nash"
	"gamebots/solvers/nash/bimatrix"
)

// The battle of the sexes has an equilibrium at each player's favourite and a mixed one.
func Example() {
	g, err := bimatrix.Generate(bimatrix.Recipe{Family: "BattleOfTheSexes"})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := nash.Solve(context.Background(), g, nash.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range result.Equilibria {
		fmt.Println(e.X, e.Y, e.Index)
	}
	// Output:
	// [0/1 1/1] [0/1 1/1] 1
	// [2/3 1/3] [1/3 2/3] -1
	// [1/1 0/1] [1/1 0/1] 1
}
