package snake_test

import (
	"context"
	"fmt"

	"gamebots/solvers/nmcs/snake"
)

func ExampleRun() {
	s := snake.Settings{Dimension: 5, Level: 2, Leaf: 1, Seed: 1}
	var tally snake.Tally
	if err := snake.Run(context.Background(), &tally, s, 20, 2, nil); err != nil {
		fmt.Println(err)
		return
	}
	best := s.Sequence(tally.Best)
	fmt.Println(len(best), "edges:", best, snake.Check(snake.Rules{Dimension: s.Dimension}, best))
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
	fmt.Println(len(best), "edges:", best, snake.Check(snake.Rules{Dimension: 6}, best))
	// Output:
	// 26 edges: 01231043054013402410431534 <nil>
}

func ExampleCheck() {
	for _, text := range []string{"0120", "01201"} {
		s, err := snake.ParseSequence(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(text, snake.Check(snake.Rules{Dimension: 3}, s))
	}
	// Output:
	// 0120 <nil>
	// 01201 edge 5 leads to vertex 4, which touches the path at vertex 0, after edge 0
}
