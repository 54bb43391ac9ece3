package nim_test

import (
	"fmt"

	"gamebots/hexproto/nim"
)

func Example() {
	board, err := nim.New(nim.Rules{Misere: true}, 1, 3, 5, 6)
	if err != nil {
		fmt.Println(err)
		return
	}
	move, wins := board.Rules().Best(board.Heaps())
	fmt.Println(move, wins)
	for n := nim.Colon; n <= nim.OpenSpiel; n++ {
		fmt.Println(n, n.Format(move))
	}
	if err := board.Play(move); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(board)
	// Output:
	// 1:1 true
	// colon 1:1
	// openspiel pile:1, take:1;
	// heaps=1;3;5;6 play=misere plies=1 : 1:1
}
