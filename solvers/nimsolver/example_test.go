package nimsolver_test

import (
	"context"
	"fmt"

	"gamebots/hexproto/nim"
	"gamebots/solvers/nimsolver"
)

// Four rows of 1, 3, 5 and 7 sticks are a loss for the player to move. A search of
// three plies does not see that; the table of the whole board does.
func Example() {
	ctx := context.Background()
	p := nimsolver.Position{Heaps: nim.Rows(4)}
	r, err := nimsolver.Search(ctx, p, 3, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("three plies:", r.Value)

	table, err := nimsolver.NewTable(ctx, p, 1, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	all, lost := table.Positions()
	fmt.Println("the board:", table.Best(p.Heaps).Value)
	fmt.Println(lost, "of", all, "positions are lost")

	after := p.Heaps.Take(nim.Move{Heap: 3, Take: 4}) // 1, 3, 5, 3
	best := table.Best(after)
	fmt.Printf("then: %v by taking %d from heap %d\n", best.Value, best.Move.Take, best.Move.Heap)
	// Output:
	// three plies: unknown
	// the board: loss
	// 48 of 384 positions are lost
	// then: win by taking 4 from heap 2
}
