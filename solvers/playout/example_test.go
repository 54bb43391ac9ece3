package playout_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"gamebots/hexproto/havannah"
	"gamebots/solvers/playout"
)

func ExampleRate() {
	record, err := havannah.ParseRecord("side=4 : d4 swap")
	if err != nil {
		fmt.Println(err)
		return
	}
	ratings, err := playout.Rate(context.Background(), &record.Board,
		playout.Options{Playouts: 1000, Seed: 1, Threads: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	best := slices.MaxFunc(ratings, func(a, b playout.Rating) int { return cmp.Compare(a.Score(), b.Score()) })
	fmt.Printf("%s: %d wins, %d losses, %d draws\n", record.Board.Grid().Format(best.Move),
		best.Wins, best.Losses, best.Draws)
	// Output:
	// a4: 509 wins, 489 losses, 2 draws
}

func ExamplePosition() {
	board, err := havannah.New(4)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := playout.NewPosition(board)
	for number := range uint64(3) {
		p.Reset()
		winner, plies := p.Rollout(1, number, 0)
		fmt.Println(winner, "after", plies, "stones, the first on",
			board.Grid().Format(havannah.Move(p.RolloutMove(0))))
	}
	// Output:
	// black after 16 stones, the first on g4
	// white after 31 stones, the first on b1
	// black after 32 stones, the first on a4
}
