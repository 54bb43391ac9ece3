package hexsearch_test

import (
	"context"
	"fmt"

	"gamebots/hexproto/havannah"
	"gamebots/solvers/hexsearch"
	"gamebots/solvers/mcts"
)

func Example() {
	record, err := havannah.ParseRecord("side=5 : e5 swap c3 g7 d4")
	if err != nil {
		fmt.Println(err)
		return
	}
	game := hexsearch.NewGame(&record.Board)
	playouts := hexsearch.NewEvaluator(game, 2, 1)
	defer playouts.Close()
	search := mcts.New(game, playouts, mcts.Options{Batch: 4, Memory: 16 << 20})
	if err := search.Run(context.Background(), 2000); err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range search.Stats()[:3] {
		fmt.Printf("%s: %d simulations, score %.2f\n", game.Board().Grid().Format(game.Move(s.Move)),
			s.Simulations, s.Score)
	}
	// Output:
	// i9: 668 simulations, score 0.59
	// b6: 139 simulations, score 0.58
	// e9: 120 simulations, score 0.48
}
