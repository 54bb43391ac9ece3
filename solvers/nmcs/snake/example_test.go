package snake_test

import (
	"context"
	"fmt"

	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/nmcs/snake/cube"
)

func ExampleRun() {
	s := snake.Settings{Rules: cube.Rules{Dimension: 5}, Algorithm: snake.NMCS, Level: 2, Leaf: 1, Seed: 1}
	var tally nmcs.Tally
	if err := snake.Run(context.Background(), &tally, s, 20, 2, nil); err != nil {
		fmt.Println(err)
		return
	}
	best := s.Sequence(tally.Best)
	fmt.Println(len(best), "edges:", best, cube.Check(s.Rules, best))
	// Output:
	// 13 edges: 0123014312301 <nil>
}
