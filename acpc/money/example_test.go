package money_test

import (
	"fmt"

	"gamebots/acpc"
	"gamebots/acpc/money"
)

func Example() {
	game := &acpc.Game{Name: "holdem", NumPlayers: 2, Blind: [acpc.MaxPlayers]int32{50, 100}}
	for _, unit := range []money.Unit{money.Usual, money.MB, money.BB100, money.Chips} {
		format, err := unit.In(game)
		if err != nil {
			panic(err)
		}
		fmt.Println(format.AHand(format.Within(12.5, 2)))
	}
	// Output:
	// 12.5 chips (125 mb) ± 2 chips (20 mb) a hand
	// 125 mb ± 20 mb a hand
	// 12.5 bb/100 ± 2 bb/100
	// 12.5 chips ± 2 chips a hand
}
