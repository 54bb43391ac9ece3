package bench

import (
	"context"
	"errors"
	"runtime"
	"slices"

	"gamebots/configs"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/policy"
)

// algorithmsWork is the work of bench algorithms: the exploitability of algorithms
// after numbers of iterations, on games whose strategies can be evaluated exactly.
type algorithmsWork struct {
	games          []string
	whole, sampled []uint64 // iterations of algorithms that go through all cards, and of those that sample
}

var fullAlgorithms = algorithmsWork{
	games:   []string{"kuhn", "kuhn-3p", "leduc", "leduc-nolimit"},
	whole:   []uint64{10, 100, 1000},
	sampled: []uint64{1000, 10_000, 100_000},
}

func (w algorithmsWork) run(ctx context.Context, emit func(Row)) error {
	whole, sampling := train.Names()
	for _, name := range w.games {
		game, err := configs.Game(name)
		if err != nil {
			return err
		}
		actions, err := train.Actions(game, "")
		if err != nil {
			return err
		}
		spec := policy.GameSpec{Game: game, Cards: abstraction.Lossless.String(), Actions: actions}
		for _, algorithm := range slices.Concat(whole, sampling, []string{"external/16", "external(64)"}) {
			iterations := w.sampled
			if slices.Contains(whole, algorithm) {
				iterations = w.whole
			}
			if err := measureAlgorithm(ctx, algorithm, spec, iterations, emit); err != nil {
				return err
			}
		}
	}
	return nil
}

// measureAlgorithm evaluates an algorithm after each number of iterations, if it is for the game.
func measureAlgorithm(
	ctx context.Context, name string, spec policy.GameSpec, iterations []uint64, emit func(Row),
) error {
	algorithm, err := train.ParseAlgorithm(name)
	if err != nil {
		return err
	}
	t, err := train.Open(train.Spec{GameSpec: spec, Algorithm: algorithm, Seed: 1},
		train.Options{Threads: runtime.NumCPU()})
	if other := (*train.Error)(nil); errors.As(err, &other) && other.Field == train.FieldAlgorithm {
		return nil // as of two players only
	}
	if err != nil {
		return err
	}
	curve, err := train.Measure(ctx, t, iterations)
	if err != nil {
		return err
	}
	for _, p := range curve {
		emit(Row{Case: spec.Game.Name + ", iterations", Variant: name, X: float64(p.Iterations),
			Threads: runtime.NumCPU(), Metric: "exploitability", Value: p.Exploitability, Unit: "chips"})
	}
	return nil
}
