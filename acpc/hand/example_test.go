package hand_test

import (
	"fmt"

	"gamebots/acpc/card"
	"gamebots/acpc/hand"
)

func ExampleRanking_Rank() {
	board := card.SetOf(card.New(12, 0), card.New(12, 1), card.New(5, 2), card.New(3, 3),
		card.New(0, 0)) // Ac Ad 7h 5s 2c
	kings := hand.ACPC.Rank(board | card.SetOf(card.New(11, 2), card.New(11, 3)))
	sevens := hand.ACPC.Rank(board | card.SetOf(card.New(5, 0), card.New(5, 1)))
	fmt.Println(sevens > kings) // sevens full of aces beat two pair
	// Output: true
}
