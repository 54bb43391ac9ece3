package referee_test

import (
	"fmt"
	"strings"

	"gamebots/hexproto/havannah/referee"
)

func ExampleWinner() {
	moves := strings.Fields("a1 c3 a2 c4 a3 c2")
	fmt.Println(referee.Winner(3, moves))
	fmt.Println(referee.Winner(3, moves[:5]))
	fmt.Println(referee.Winner(3, moves[:4]))
	// Output:
	// 0 move 6, c2: the game was over
	// 0 <nil>
	// 0 the game is not over
}
