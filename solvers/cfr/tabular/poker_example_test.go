package tabular_test

import (
	"fmt"
	"strings"

	"gamebots/configs"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/tabular"
)

// Kuhn's poker as a file for Gambit.
func ExampleBuild() {
	rules, err := configs.Game("kuhn")
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := tabular.OfPoker(rules, betting.Actions{}, abstraction.Lossless)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.Join(strings.Split(string(g.EFG()), "\n")[:6], "\n"))
	// Output:
	// EFG 2 R "kuhn" { "Player 1" "Player 2" }
	// ""
	//
	// c "" 1 "" { "Qs Ks" 1/6 "Qs As" 1/6 "Ks Qs" 1/6 "Ks As" 1/6 "As Qs" 1/6 "As Ks" 1/6 } 0
	// p "" 1 1 "Qs" { "check" "raise" } 0
	// p "" 2 1 "Ks c" { "check" "raise" } 0
}
