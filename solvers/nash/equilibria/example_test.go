package equilibria_test

import (
	"context"
	"fmt"
	"os"

	"gamebots/solvers/nash/equilibria"
	"gamebots/solvers/nash/game"
)

func ExampleFind() {
	g, err := game.Generate(game.Recipe{Family: "HawkAndDove"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, spec := range []equilibria.Spec{{Pure: true}, {Symmetric: true}} {
		answer, err := equilibria.Find(context.Background(), g, spec)
		if err != nil {
			fmt.Println(err)
			return
		}
		if err := answer.WriteText(os.Stdout); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// pure equilibrium 1: 2 1, payoffs 0 4
	// pure equilibrium 2: 1 2, payoffs 4 0
	// 2 pure equilibria, exactly
	// symmetric equilibrium 1: payoffs 2/3
	//   each player: 1 2 (2/3, 1/3)
	// 1 symmetric equilibrium, computed exactly; there are no others
}
