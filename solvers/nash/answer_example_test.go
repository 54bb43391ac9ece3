package nash_test

import (
	"fmt"
	"os"

	"gamebots/solvers/nash"
	"gamebots/solvers/nash/bimatrix"
)

func ExampleFindPure() {
	g, err := bimatrix.Generate(bimatrix.Recipe{Family: "HawkAndDove"})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := nash.FindPure(g).WriteText(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// pure equilibrium 1: 2 1, payoffs 0 4
	// pure equilibrium 2: 1 2, payoffs 4 0
	// 2 pure equilibria, exactly
}
