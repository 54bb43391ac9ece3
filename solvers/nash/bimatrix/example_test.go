package bimatrix_test

import (
	"fmt"

	"gamebots/solvers/nash/bimatrix"
)

func ExampleRead() {
	g, err := bimatrix.Read("pennies.nfg", []byte(`NFG 1 R "Pennies" { "Even" "Odd" } { 2 2 } 1 -1 -1 1 -1 1 1 -1`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %d by %d strategies\n%s", g.Title, g.Rows, g.Cols, g.LRS())
	// Output:
	// Pennies: 2 by 2 strategies
	// 2 2
	//
	// 1 -1
	// -1 1
	//
	// -1 1
	// 1 -1
}
