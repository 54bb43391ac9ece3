package ondevice_test

import (
	"context"
	"fmt"
	"log"

	"gamebots/acpc/ranges"
	"gamebots/cudalib"
	"gamebots/solvers/cfr"
	"gamebots/solvers/resolve/spot"
	"gamebots/solvers/resolve/spot/ondevice"
)

// A turn of all hands, solved on the GPU of a machine. What is read from the solution does not
// depend on where it was found.
func Example() {
	must := func(err error) {
		if err != nil {
			log.Fatal(err)
		}
	}
	board, err := spot.ParseBoard("Ks 9d 7h 4c")
	must(err)
	all, err := ranges.Parse("random")
	must(err)
	bets, err := spot.ParseBets("50,100", false)
	must(err)
	choice, err := cudalib.ParseChoice("cuda")
	must(err)
	device, _, err := choice.Open()
	must(err)
	defer device.Close()
	solver, err := spot.New(&spot.Spot{
		Board: board, Pot: 200, Stack: 1800, Ranges: [2]*ranges.Range{all, all}, Menu: spot.Menu{Bets: bets},
	}, spot.Options{
		Algorithm: cfr.Algorithms[0], Memory: 1 << 30,
		Device: func(*spot.Solver) (spot.Device, error) { return ondevice.Of(device), nil },
	})
	must(err)
	defer solver.Close()
	solver.Solve(context.Background(), spot.Limits{Iterations: 500, Exploitability: .5}, func(float64) {})

	root, err := solver.Solution().At("")
	must(err)
	fmt.Println(root.Actions, root.Summary(0).Probabilities)
}
