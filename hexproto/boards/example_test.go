package boards_test

import (
	"encoding/json"
	"fmt"
	"log"

	"gamebots/hexproto/boards"
	"gamebots/hexproto/game"
)

// Any board game is played through the interfaces of hexproto/game.
func Example() {
	var rules game.Rules = boards.Nim{}
	g, err := rules.New(json.RawMessage(`{"heaps":[1,2],"misere":false}`))
	if err != nil {
		log.Fatal(err)
	}
	for g.Result() == nil {
		moves, view := make([]string, 2), g.View()
		for seat, to := range g.ToMove() {
			if to {
				moves[seat] = view.Moves(seat)[0]
			}
		}
		fmt.Println(view.Text, moves)
		if err := g.Play(moves); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println("winner: seat", g.Result().Winner)
	// Output:
	// 1 2 [pile:1, take:1; ]
	// 0 2 [ pile:2, take:1;]
	// 0 1 [pile:2, take:1; ]
	// winner: seat 0
}
