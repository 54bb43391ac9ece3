package havannah_test

import (
	"fmt"

	"gamebots/hexproto/havannah"
)

func Example() {
	record, err := havannah.ParseRecord("side=4 : d4 swap a1 c3 a2 c5 a3 e3 a4")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(record.Winner(), record.End())
	fmt.Print(record.Board.Text(nil))
	// Output:
	// white bridge
	//        1 2 3 4
	//    a  O O O(O) 5
	//   b  . . . . .  6
	//  c  . . X . X .  7
	// d  . . . X . . .
	//  e  . X . . . .
	//   f  . . . . .
	//    g  . . . .
}

func ExampleNotation() {
	board, err := havannah.New(8)
	if err != nil {
		fmt.Println(err)
		return
	}
	move, err := havannah.LittleGolem.Parse(board, "I1")
	if err != nil {
		fmt.Println(err)
		return
	}
	for n := havannah.HGui; n <= havannah.AbstractPlay; n++ {
		fmt.Println(n, n.Format(board, move))
	}
	// Output:
	// hgui i2
	// littlegolem i1
	// abstractplay g1
}
