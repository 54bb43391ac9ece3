package sequence_test

import (
	"context"
	"fmt"

	"gamebots/solvers/nash/extensive"
	"gamebots/solvers/nash/extensive/sequence"
)

// A threat to fight deters nobody who knows that it would not be carried out.
func ExampleSolve() {
	g, err := extensive.Read("entry.efg", []byte(`EFG 2 R "Entry" { "entrant" "incumbent" }
p "" 1 1 "" { "out" "in" } 0
t "" 1 "" { 0, 2 }
p "" 2 1 "" { "fight" "accommodate" } 0
t "" 2 "" { -3, -1 }
t "" 3 "" { 1, 1 }`))
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := sequence.Solve(context.Background(), g, sequence.Subgames)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Profile, "payoffs", s.Payoffs)
	// Output: [[0/1 1/1] [0/1 1/1]] payoffs [1/1 1/1]
}
