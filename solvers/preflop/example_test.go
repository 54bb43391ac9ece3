package preflop_test

import (
	"context"
	"fmt"

	"gamebots/solvers/preflop"
)

// With ten big blinds the small blind goes all-in or folds.
func Example() {
	s, err := preflop.Solve(context.Background(), preflop.Game{Stack: 10}, 1e-3, 10_000)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range s.Decisions() {
		fmt.Println(d.Line, d.Actions)
	}
	// Output:
	// [] [fold all-in]
	// [all-in] [fold call]
}
