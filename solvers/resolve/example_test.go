package resolve_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"gamebots/acpc/card"
	"gamebots/configs"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve"
	"gamebots/solvers/strategy"
)

// A strategy that was hardly trained sometimes calls a last raise with the worst hand. Solved at the
// table, the hand always folds.
func Example() {
	must := func(err error) {
		if err != nil {
			log.Fatal(err)
		}
	}
	game, err := configs.Game("leduc")
	must(err)
	folder, err := os.MkdirTemp("", "")
	must(err)
	defer os.RemoveAll(folder)

	// The blueprint: a few iterations of training.
	layout, err := publictree.Prepare(game, betting.Actions{}, abstraction.Lossless, 1<<30)
	must(err)
	trainer := cfr.NewTrainer(layout, cfr.Algorithms[0], 1)
	for range 3 {
		trainer.Step()
	}
	file := filepath.Join(folder, "leduc.strategy")
	must(trainer.Save(file, strategy.Meta{}))
	blueprint, err := policy.Open(file, 1<<30, nil)
	must(err)
	defer blueprint.Close()

	// A jack with a king on the board, facing a raise.
	m, _, err := game.ParseMatchState("MATCHSTATE:1:0:cc/rr:|Js/Ks")
	must(err)
	hole := card.SetOf(m.Holes[m.Actor()][0])
	for _, iterations := range []uint64{0, 1000} {
		r, err := resolve.New(blueprint, resolve.Options{Iterations: iterations})
		must(err)
		answer, err := r.Answer(context.Background(), &m.State)
		must(err)
		fmt.Printf("solved %-5t %v %.3f\n", answer.Solved, answer.Actions, answer.Of(r.Hand(hole)))
	}
	// Output:
	// solved false [f c] [0.684 0.316]
	// solved true  [f c] [1.000 0.000]
}
