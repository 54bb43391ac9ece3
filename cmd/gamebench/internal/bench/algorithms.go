package bench

import (
	"context"
	"fmt"
	"runtime"

	"gamebots/configs"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/policy"
)

// algorithmsWork is the work of bench algorithms: the exploitability of algorithms
// after numbers of iterations, on games whose strategies can be evaluated exactly.
type algorithmsWork struct {
	games    []string
	families []algorithmFamily
}

// algorithmFamily is algorithms whose iterations are alike.
type algorithmFamily struct {
	names      []string
	iterations []uint64
}

// fullAlgorithms has every algorithm. An iteration of the first family goes through
// all cards and actions, one of the second through a sample.
var fullAlgorithms = algorithmsWork{
	games: []string{"kuhn", "kuhn-3p", "leduc", "leduc-nolimit"},
	families: []algorithmFamily{
		{
			names:      []string{"dcfr", "cfr+", "pcfr+", "linear", "cfr", "cfr-br"},
			iterations: []uint64{10, 100, 1000},
		},
		{
			names: []string{"external", "external/16", "external(64)", "outcome", "chance", "self-public",
				"opponent-public", "public", "recursive"},
			iterations: []uint64{1000, 10_000, 100_000},
		},
	},
}

func (w algorithmsWork) run(ctx context.Context, emit func(Row)) error {
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
		for _, family := range w.families {
			for _, algorithm := range family.names {
				if err := family.measure(ctx, algorithm, spec, emit); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// measure evaluates an algorithm of the family after each number of iterations.
func (f algorithmFamily) measure(ctx context.Context, name string, spec policy.GameSpec, emit func(Row)) error {
	algorithm, err := train.ParseAlgorithm(name)
	if err != nil {
		return err
	}
	a, err := train.Open(train.Spec{GameSpec: spec, Algorithm: algorithm, Seed: 1},
		train.Options{Threads: runtime.NumCPU()})
	if err != nil {
		return err
	}
	curve, err := train.Measure(ctx, a, f.iterations)
	if err != nil {
		return err
	}
	for i, n := range f.iterations {
		emit(Row{Case: fmt.Sprintf("%s, %s, %d iterations", spec.Game.Name, name, n), Threads: runtime.NumCPU(),
			Metric: "exploitability", Value: curve[i].Exploitability, Unit: "chips"})
	}
	return nil
}
