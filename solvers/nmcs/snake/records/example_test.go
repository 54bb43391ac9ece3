package records_test

import (
	"context"
	"fmt"

	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/nmcs/snake/cube"
	"gamebots/solvers/nmcs/snake/records"
)

func ExampleSearch() {
	s := snake.Settings{Rules: cube.Rules{Dimension: 6}, Algorithm: snake.NMCS, Level: 2, Leaf: 1, Seed: 1}
	search, err := records.NewSearch(records.SearchOptions{Settings: s, MaxRuns: 200, Threads: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := search.Run(context.Background()); err != nil {
		fmt.Println(err)
		return
	}
	best := search.Best()
	fmt.Println(len(best), "edges:", best, cube.Check(cube.Rules{Dimension: 6}, best))
	// Output:
	// 26 edges: 01231043054013402410431534 <nil>
}
