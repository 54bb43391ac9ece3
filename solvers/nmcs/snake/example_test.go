package snake_test

import (
	"context"
	"fmt"

	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/nmcs/snake/cube"
)

func ExampleRun() {
	s := snake.Settings{Dimension: 5, Level: 2, Leaf: 1, Seed: 1}
	var tally nmcs.Tally
	if err := snake.Run(context.Background(), &tally, s, 20, 2, nil); err != nil {
		fmt.Println(err)
		return
	}
	best := s.Sequence(tally.Best)
	fmt.Println(len(best), "edges:", best, cube.Check(cube.Rules{Dimension: s.Dimension}, best))
	// Output:
	// 13 edges: 0123014312301 <nil>
}

func ExampleSearch() {
	s := snake.Settings{Dimension: 6, Level: 2, Leaf: 1, Seed: 1}
	search, err := snake.NewSearch(snake.SearchOptions{Settings: s, MaxRuns: 200, Threads: 2})
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
