package spot_test

import (
	"context"
	"fmt"

	"gamebots/acpc/ranges"
	"gamebots/solvers/cfr"
	"gamebots/solvers/resolve/spot"
)

// On the river the better has two good hands for each that is not, and bets the pot with all.
func Example() {
	board, _ := spot.ParseBoard("2c 3d 7h 8s Tc")
	oop, _ := ranges.Parse("AA,QhJh,QdJd,QsJs")
	ip, _ := ranges.Parse("99")
	bets, _ := spot.ParseBets("oop: 100", false)
	s, err := spot.New(&spot.Spot{
		Board: board, Pot: 100, Stack: 100,
		Ranges: [2]*ranges.Range{oop, ip},
		Menu:   spot.Menu{Bets: bets},
	}, spot.Options{Algorithm: cfr.Algorithms[0], Threads: 1, Memory: 1 << 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	s.Solve(context.Background(), spot.Limits{Iterations: 1000, Exploitability: .01}, func(float64) {})
	root, err := s.At("")
	if err != nil {
		fmt.Println(err)
		return
	}
	summary := root.Summary(0)
	fmt.Printf("%v %.2f, wins %.1f of %d\n", root.Actions, summary.Probabilities, summary.Value, root.Pot)
	// Output: [x b100] [0.00 1.00], wins 100.0 of 100
}
