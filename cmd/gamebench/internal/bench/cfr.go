package bench

import (
	"context"
	"io"
	"runtime"
	"time"

	"gamebots/internal/memory"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/cfr/train"
)

// layoutOf lays out a game that comes with the program.
func layoutOf(game string, kind abstraction.Kind) (*publictree.Layout, error) {
	return publictree.Prepare(shipped(game), betting.Actions{}, kind, memory.Available())
}

// benchCFR measures the programs of Reis (2015), and then training in vector form to a target.
func benchCFR(ctx context.Context, emit func(Row)) error {
	if err := fullReis.onCPU(ctx, emit); err != nil {
		return err
	}
	return benchTarget(emit)
}

// benchTarget times the training of Leduc to an exploitability of a thousandth of an
// ante.
func benchTarget(emit func(Row)) error {
	l, err := layoutOf("leduc", abstraction.Lossless)
	if err != nil {
		return err
	}
	for _, name := range []string{"cfr+", "dcfr"} {
		algorithm, err := train.ParseAlgorithm(name)
		if err != nil {
			return err
		}
		var training, all []float64 // seconds
		for range benchRuns {
			start := time.Now()
			trainer, e := cfr.NewTrainer(l, algorithm.Vector(), 1), publictree.NewEvaluator(l, 1)
			p := train.Iterate(trainer, func() publictree.Evaluation { return e.Evaluate(trainer.Weights()) },
				train.Goal{Exploitability: 0.001},
				func(train.Progress) bool { return true })
			all = append(all, time.Since(start).Seconds())
			// The same iterations again, without evaluations.
			start = time.Now()
			for trainer := cfr.NewTrainer(l, algorithm.Vector(), 1); trainer.Iterations() < p.Iterations; {
				trainer.Step()
			}
			training = append(training, time.Since(start).Seconds())
		}
		for _, figure := range []struct {
			metric  string
			seconds []float64
		}{{"training", training}, {"with evaluations", all}} {
			t, repeated := median(figure.seconds)
			emit(Row{Case: "leduc to 0.001 chips, " + name, Threads: 1, Metric: figure.metric, Value: 1000 * t,
				Unit: "ms", Repeated: repeated})
		}
	}
	return nil
}

// signCFR trains small games by each algorithm, and a large one a little.
func signCFR(_ context.Context, method methods) error {
	for _, a := range cfr.Algorithms {
		for _, game := range []string{"kuhn", "kuhn-3p", "leduc"} {
			if err := signVector(method(a.Name), game, a, 200); err != nil {
				return err
			}
		}
	}
	return signVector(method(cfr.Algorithms[0].Name), "rhode-island", cfr.Algorithms[0], 2)
}

// signVector trains a game, and signs the average strategies.
func signVector(h io.Writer, game string, a cfr.Algorithm, iterations int) error {
	l, err := layoutOf(game, abstraction.Lossless)
	if err != nil {
		return err
	}
	trainer := cfr.NewTrainer(l, a, runtime.NumCPU())
	for range iterations {
		trainer.Step()
	}
	sign(h, trainer.Weights())
	return nil
}
