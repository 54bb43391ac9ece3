package ondevice_test

import (
	"fmt"
	"log"

	"gamebots/configs"
	"gamebots/cudalib"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/ondevice"
	"gamebots/solvers/cfr/publictree"
)

// Training on the GPU of a machine. A checkpoint of it goes on with a cfr.Trainer, and the other way
// round.
func Example() {
	must := func(err error) {
		if err != nil {
			log.Fatal(err)
		}
	}
	game, err := configs.Game("rhode-island")
	must(err)
	layout, err := publictree.Prepare(game, betting.Actions{}, abstraction.Lossless, 8<<30)
	must(err)
	choice, err := cudalib.ParseChoice("cuda")
	must(err)
	device, _, err := choice.Open()
	must(err)
	defer device.Close()

	trainer, err := ondevice.NewTrainer(device, layout, cfr.Algorithms[0], 1)
	must(err)
	defer trainer.Close()
	for trainer.Err() == nil && trainer.Iterations() < 1000 {
		trainer.StepUpTo(1000 - trainer.Iterations())
	}
	evaluator, err := ondevice.NewEvaluator(device, layout)
	must(err)
	defer evaluator.Close()
	value := evaluator.EvaluateTrainer(trainer)
	must(trainer.Err())
	fmt.Println(value.Exploitability())
}
