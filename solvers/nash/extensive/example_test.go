package extensive_test

import (
	"fmt"
	"math/big"
	"strings"

	"gamebots/solvers/nash/extensive"
)

// kuhn has the rules of Kuhn's poker. A position is the cards of both players and what
// they did: "KJcb" after the first player, with a king, checked and the second bet.
type kuhn struct{}

func (kuhn) Start() string { return "" }

var deals = []string{"JQ", "JK", "QJ", "QK", "KJ", "KQ"}

func (kuhn) Describe(position string) extensive.Turn {
	if position == "" {
		sixth := big.NewRat(1, 6)
		return extensive.Turn{Player: extensive.Chance, Actions: deals,
			Probabilities: []*big.Rat{sixth, sixth, sixth, sixth, sixth, sixth}}
	}
	won := int64(1) // chips that the first player wins if the cards decide
	if strings.Index("JQK", position[:1]) < strings.Index("JQK", position[1:2]) {
		won = -1
	}
	switch play := position[2:]; play {
	case "cc":
	case "bc", "cbc":
		won *= 2
	case "bf":
		won = 1
	case "cbf":
		won = -1
	case "b", "cb":
		player := len(play) % 2
		return extensive.Turn{Player: player, Set: position[player:player+1] + play, Actions: []string{"f", "c"}}
	default:
		player := len(play)
		return extensive.Turn{Player: player, Set: position[player:player+1] + play, Actions: []string{"c", "b"}}
	}
	return extensive.Turn{Payoffs: []*big.Rat{big.NewRat(won, 1), big.NewRat(-won, 1)}}
}

func (k kuhn) Next(position string, action int) string {
	return position + k.Describe(position).Actions[action]
}

// A game of one's own is made from its rules, and written for Gambit.
func ExampleBuild() {
	g, err := extensive.Build("Kuhn's poker", []string{"first", "second"}, kuhn{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(g.Nodes), "nodes,", len(g.Sets)-1, "information sets")
	fmt.Println(strings.Join(strings.Split(string(g.EFG()), "\n")[:6], "\n"))
	// Output:
	// 55 nodes, 12 information sets
	// EFG 2 R "Kuhn's poker" { "first" "second" }
	// ""
	//
	// c "" 1 "" { "JQ" 1/6 "JK" 1/6 "QJ" 1/6 "QK" 1/6 "KJ" 1/6 "KQ" 1/6 } 0
	// p "" 1 1 "J" { "c" "b" } 0
	// p "" 2 1 "Qc" { "c" "b" } 0
}
