package equilibria_test

import (
	"context"
	"fmt"
	"os"

	"gamebots/solvers/nash/equilibria"
	"gamebots/solvers/nash/game"
)

func ExampleFind() {
	g, err := game.GenerateFor(game.Recipe{Family: "PolymatrixGame", Seed: 3, High: 9}, 2, 2, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, spec := range []equilibria.Spec{
		{Pure: true}, {Method: equilibria.Polymatrix},
	} {
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
	// pure equilibrium 1: 2 1 1, payoffs 11 4 15
	// pure equilibrium 2: 2 2 2, payoffs 7 9 14
	// 2 pure equilibria, exactly
	// equilibrium 1: payoffs 11, 4, 15
	//   player 1: 2 (0, 1)
	//   player 2: 1 (1, 0)
	//   player 3: 1 (1, 0)
	// equilibrium 2: payoffs 251/28, 27/7, 53/4
	//   player 1: 2 (0, 1)
	//   player 2: 1 2 (1/8, 7/8)
	//   player 3: 1 2 (6/7, 1/7)
	// equilibrium 3: payoffs 7, 9, 14
	//   player 1: 2 (0, 1)
	//   player 2: 2 (0, 1)
	//   player 3: 2 (0, 1)
	// 3 equilibria, computed exactly; there are no others
}
