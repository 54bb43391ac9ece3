package matrix_test

import (
	"fmt"

	"gamebots/hexproto/matrix"
)

func Example() {
	match, _, err := matrix.Named("rock-paper-scissors", 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, round := range [][2]string{{"rock", "scissors"}, {"paper", "paper"}, {"rock", "paper"}} {
		row, _ := match.Parse(0, round[0])
		column, _ := match.Parse(1, round[1])
		if err := match.Play(row, column); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(match)
	fmt.Println("over:", match.Over(), "winner:", match.Winner())
	// Output:
	// rounds=3 : rock/scissors paper/paper rock/paper : 0 0
	// over: true winner: -1
}
