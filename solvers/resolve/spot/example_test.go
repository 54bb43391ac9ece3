package spot_test

import (
	"context"
	"fmt"
	"log"

	"gamebots/acpc/card"
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
	root, err := s.Solution().At("")
	if err != nil {
		fmt.Println(err)
		return
	}
	summary := root.Summary(0)
	fmt.Printf("%v %.2f, wins %.1f of %d\n", root.Actions, summary.Probabilities, summary.Value, root.Pot)
	// Output: [x b100] [0.00 1.00], wins 100.0 of 100
}

// The whole way: a spot, its memory, solving, and reading what was found.
func Example_turn() {
	// What is played: two overcards and draws against made hands, on a turn. Bets are parts of
	// the pot, "a" is all-in, and raises are multiples of a bet. On the turn and the river there
	// are at most two bets and raises.
	must := func(err error) {
		if err != nil {
			log.Fatal(err)
		}
	}
	board, err := spot.ParseBoard("Ks 9d 7h 4c")
	must(err)
	oop, err := ranges.Parse("AK,KQs,JTs,86s:0.5")
	must(err)
	ip, err := ranges.Parse("99,77,K9s,QJs,T8s")
	must(err)
	bets, err := spot.ParseBets("turn: 50; river: 75,a", false)
	must(err)
	raises, err := spot.ParseBets("2.5x", true)
	must(err)
	s := &spot.Spot{
		Board: board, Pot: 60, Stack: 200,
		Ranges: [2]*ranges.Range{oop, ip}, // out of position, in position
		Menu:   spot.Menu{Bets: bets, Raises: raises, RaiseCap: 2},
	}

	// What it takes. A solver that would need more than Memory is an error before any is taken.
	algorithm, _ := cfr.AlgorithmByName("dcfr")
	options := spot.Options{Algorithm: algorithm, Threads: 2, Memory: 64 << 20}
	bytes, err := spot.Measure(s, options)
	must(err)
	fmt.Println("less than 16 MiB:", bytes < 16<<20)
	solver, err := spot.New(s, options)
	must(err)

	// Solving ends when best responses gain less than half a percent of the pot together, after so
	// many iterations, or with the context.
	limits := spot.Limits{Iterations: 1000, Exploitability: 0.005 * float64(s.Pot)}
	left := solver.Solve(context.Background(), limits, func(exploitability float64) {})
	fmt.Println("solved:", left <= limits.Exploitability)

	// What was found, at the root.
	solution := solver.Solution()
	root, err := solution.At("")
	must(err)
	fmt.Println(root.Actions, "with", len(root.Hands[root.Player]), "hands, pot", root.Pot)

	// After a check, a bet, a call and the next card the hand goes on to the river. What a hand
	// does there is by its cards.
	river, err := solution.At("x b30 c 2s")
	must(err)
	for _, h := range river.Hands[river.Player] {
		if h.Hole.String() == "AhKh" {
			fmt.Printf("%v on %v: %v, equity above one half: %t\n", h.Hole, river.Board, river.Actions, h.Equity > .5)
		}
	}

	// A strategy can be given instead of found: here the player in position gives up after a bet.
	turn, err := solution.Strategy("b30")
	must(err)
	lock := spot.Lock{Line: "b30", Hands: map[card.Set]map[string]float64{}}
	for _, hole := range turn.Hands {
		lock.Hands[hole] = map[string]float64{"f": 1}
	}
	s.Locks = []spot.Lock{lock}
	against, err := spot.New(s, options)
	must(err)
	against.Solve(context.Background(), limits, func(float64) {})
	values := against.Solution().Evaluate().Values
	fmt.Printf("against folds it wins %.0f of %d\n", values[0], s.Pot)
	// Output:
	// less than 16 MiB: true
	// solved: true
	// [x b30] with 23 hands, pot 60
	// AhKh on [Ks 9d 7h 4c 2s]: [x b90 b170], equity above one half: true
	// against folds it wins 60 of 60
}
