package poker_test

import (
	"fmt"

	"gamebots/bots/poker"
	"gamebots/solvers/policy"
)

func ExampleStyle_Apply() {
	choices := []policy.Choice{{Probability: 0.02}, {Probability: 0.38}, {Probability: 0.6}}
	poker.Style{Threshold: 0.05}.Apply(choices)
	for _, c := range choices {
		fmt.Printf("%.2f ", c.Probability)
	}
	// Output: 0.00 0.38 0.60
}
