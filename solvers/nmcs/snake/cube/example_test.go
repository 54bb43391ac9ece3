package cube_test

import (
	"fmt"

	"gamebots/solvers/nmcs/snake/cube"
)

func ExampleCheck() {
	for _, text := range []string{"0120", "01201"} {
		s, err := cube.ParseSequence(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(text, cube.Check(cube.Rules{Dimension: 3}, s))
	}
	// Output:
	// 0120 <nil>
	// 01201 edge 5 leads to vertex 4, which touches the path at vertex 0, after edge 0
}
