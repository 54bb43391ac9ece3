package bench

import (
	"context"
	"fmt"
	"runtime"

	"gamebots/configs"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/train"
)

// convergences are what benchAlgorithms measures: every algorithm on games whose
// strategies can be valued exactly, after numbers of iterations. An iteration of
// the first goes through all cards and actions, one of the others through a
// sample.
var convergences = struct {
	games      []string
	algorithms []struct {
		names      []string
		iterations []uint64
	}
}{
	games: []string{"kuhn", "kuhn-3p", "leduc", "leduc-nolimit"},
	algorithms: []struct {
		names      []string
		iterations []uint64
	}{
		{[]string{"dcfr", "cfr+", "pcfr+", "linear", "cfr", "cfr-br"}, []uint64{10, 100, 1000}},
		{[]string{"external", "outcome", "chance", "self-public", "opponent-public", "public", "recursive"}, []uint64{1000, 10_000, 100_000}},
	},
}

func benchAlgorithms(ctx context.Context, emit func(Row) error) error {
	for _, name := range convergences.games {
		game, err := configs.Game(name)
		if err != nil {
			return err
		}
		actions, err := train.Actions(game, "")
		if err != nil {
			return err
		}
		terms := cfr.Terms{Game: game, Cards: abstraction.Lossless.String(), Actions: actions}
		for _, family := range convergences.algorithms {
			for _, algorithm := range family.names {
				a, err := train.New(algorithm, terms, 1, runtime.NumCPU(), memory.Available(), nil)
				if err != nil {
					return err
				}
				for _, n := range family.iterations {
					for a.Iterations() < n {
						a.Step()
						if err := context.Cause(ctx); err != nil {
							return err
						}
					}
					r := Row{Case: fmt.Sprintf("%s, %s, %d iterations", name, algorithm, n), Threads: runtime.NumCPU(),
						Metric: "exploitability", Value: a.Evaluate().Exploitability(), Unit: "chips"}
					if err := emit(r); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}
