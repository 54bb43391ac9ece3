package browse_test

import (
	"fmt"
	"os"
	"path/filepath"

	"gamebots/configs"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/policy"
	"gamebots/solvers/policy/browse"
	"gamebots/solvers/strategy"
)

// Train Kuhn poker, and look at what the first player does after a check and a bet.
func Example() {
	folder, err := os.MkdirTemp("", "example-")
	check(err)
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "kuhn.strategy")
	game, err := configs.Game("kuhn")
	check(err)
	layout, err := publictree.Prepare(game, betting.Actions{}, abstraction.Lossless, 1<<30)
	check(err)
	trainer := cfr.NewTrainer(layout, cfr.Algorithms[0], 1)
	for range 1000 {
		trainer.Step()
	}
	check(trainer.Save(file, strategy.Meta{}))

	p, err := policy.Open(file, 1<<30, nil)
	check(err)
	defer p.Close()
	s, err := browse.New(p, 1)
	check(err)
	point, err := s.Parse("cr", "")
	check(err)
	node, err := s.At(point)
	check(err)
	fmt.Println(node.Title())
	for _, h := range node.Hands {
		fmt.Printf("%s:", h.Text())
		for i, a := range node.Actions {
			fmt.Printf(" %s %.2f", a.Name, h.Probabilities[i])
		}
		fmt.Println()
	}
	// Output:
	// kuhn, after cr: position 1 acts, pot 3, 1 to call
	// As: fold 0.00 call 1 1.00
	// Ks: fold 0.48 call 1 0.52
	// Qs: fold 1.00 call 1 0.00
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
