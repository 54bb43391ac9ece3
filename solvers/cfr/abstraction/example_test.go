package abstraction_test

import (
	"fmt"

	"gamebots/configs"
	"gamebots/solvers/cfr/abstraction"
)

// The number of hands that differ by more than the names of suits.
func ExampleCount() {
	game, err := configs.Game("holdem-limit-2p")
	if err != nil {
		panic(err)
	}
	buckets, boards := abstraction.Count(game, abstraction.Lossless)
	fmt.Printf("buckets %.0f\nboards  %.0f\n", buckets, boards)
	// Output:
	// buckets [169 1286792 55190538 2428287420]
	// boards  [1 1755 63193 2554656]
}
