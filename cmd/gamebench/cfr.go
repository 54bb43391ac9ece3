package main

import (
	"context"
	"io"
	"runtime"

	"gamebots/internal/memory"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/cfr/train"
)

// layoutOf lays out a game that comes with the program.
func layoutOf(game string) *publictree.Layout {
	return must(publictree.Prepare(shipped(game), betting.Actions{}, abstraction.Lossless, memory.Available()))
}

// benchCFR times the training of Leduc to an exploitability of a thousandth of an ante: of the
// iterations that it takes, without the evaluations that find that out.
func benchCFR(ctx context.Context, emit func(Row)) {
	l := layoutOf("leduc")
	algorithm, _ := cfr.AlgorithmByName("cfr+")
	trainer, e := cfr.NewTrainer(l, algorithm, 1), publictree.NewEvaluator(l, 1)
	needed := train.Iterate(trainer, func() publictree.Evaluation { return e.Evaluate(trainer.Weights()) },
		train.Goal{Exploitability: 0.001}, func(train.Progress) bool { return true }).Iterations
	emitTime(emit, Row{Case: "leduc to 0.001 chips, cfr+", Threads: 1}, 1, "s", func() {
		for trainer := cfr.NewTrainer(l, algorithm, 1); trainer.Iterations() < needed; {
			trainer.Step()
		}
		check(context.Cause(ctx))
	})
}

// signCFR trains small games by each algorithm, and a large one a little.
func signCFR(_ context.Context, method methods) {
	for _, a := range cfr.Algorithms {
		for _, game := range []string{"kuhn", "kuhn-3p", "leduc"} {
			signVector(method(a.Name), game, a, 200)
		}
	}
	signVector(method(cfr.Algorithms[0].Name), "rhode-island", cfr.Algorithms[0], 2)
}

// signVector trains a game, and signs the average strategies.
func signVector(h io.Writer, game string, a cfr.Algorithm, iterations int) {
	trainer := cfr.NewTrainer(layoutOf(game), a, runtime.NumCPU())
	for range iterations {
		trainer.Step()
	}
	sign(h, trainer.Weights())
}
