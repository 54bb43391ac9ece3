package bench

import (
	"context"

	"gamebots/configs"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/gametree"
	"gamebots/solvers/cfr/tabular"
	"gamebots/solvers/nash/extensive"
	"gamebots/solvers/nash/extensive/sequence"
)

// benchExtensive measures poker games as extensive games: the time to find and to prove an
// equilibrium exactly, and the speed of CFR.
func benchExtensive(ctx context.Context, emit func(Row)) error {
	for _, name := range []string{"kuhn", "leduc"} {
		rules, err := configs.Game(name)
		if err != nil {
			return err
		}
		g, err := gametree.Build(rules, betting.Actions{}, abstraction.Lossless)
		if err != nil {
			return err
		}
		t, err := medianTime(func() error {
			_, err := sequence.Solve(ctx, g, sequence.Subgames)
			return err
		})
		if err != nil {
			return err
		}
		emit(Row{Case: name + ", exactly", Threads: 1, Metric: "time", Value: t.Seconds(),
			Unit: "s", Repeated: t.Repeated})
		for _, algorithm := range tabular.Algorithms() {
			if err := benchTabular(ctx, g, name, algorithm, emit); err != nil {
				return err
			}
		}
	}
	return nil
}

// benchTabular measures the iterations of an algorithm.
func benchTabular(ctx context.Context, g *extensive.Game, name, algorithm string, emit func(Row)) error {
	q, err := g.Sequences()
	if err != nil {
		return err
	}
	trainer, err := tabular.New(q, algorithm, 1)
	if err != nil {
		return err
	}
	const iterations = 500
	t, err := medianTime(func() error {
		for range iterations {
			trainer.Step()
		}
		return context.Cause(ctx)
	})
	if err != nil {
		return err
	}
	emit(Row{Case: name + ", " + algorithm, Threads: 1, Metric: "speed",
		Value: iterations / t.Seconds(), Unit: "iterations/s", Repeated: t.Repeated})
	return nil
}
