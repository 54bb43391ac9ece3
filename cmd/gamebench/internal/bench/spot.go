package bench

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"gamebots/bots/registry"
	"gamebots/configs"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr"
	"gamebots/solvers/resolve/spot"
)

// spotWork is the work of bench spot: to solve spots to a target, on one thread and on all.
type spotWork struct {
	spots  []string
	target float64 // exploitability in percent of the pot
}

var fullSpots = spotWork{configs.Spots(), .3}

// publishedSpots are values of the player out of position that others have published, in chips.
var publishedSpots = []struct {
	spot   string
	value  float64
	source string
}{
	{"postflop-flop", 105.11, "postflop-solver, tests, verified with PioSOLVER"},
	{"postflop-flop-raked", 95.57, "postflop-solver, tests, verified with PioSOLVER"},
	{"texas-flop", 536.1, "TexasSolver, log of PioSOLVER"},
}

func (w spotWork) run(ctx context.Context, emit func(Row)) error {
	for _, p := range publishedSpots {
		if slices.Contains(w.spots, p.spot) {
			emit(Row{Case: p.spot, Metric: "value out of position", Value: p.value, Unit: "chips", Source: p.source})
		}
	}
	for _, name := range w.spots {
		for _, threads := range slices.Compact([]int{1, runtime.NumCPU()}) {
			if err := w.solve(ctx, name, threads, emit); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

// solve emits the time that a spot takes, and what was found.
func (w spotWork) solve(ctx context.Context, name string, threads int, emit func(Row)) error {
	var s *spot.Spot
	if _, err := configs.LoadSpot(name, nil, func(c *configs.Spot) (err error) {
		s, err = registry.NewSpot(c)
		return err
	}); err != nil {
		return err
	}
	o := spot.Options{Algorithm: cfr.Algorithms[0], Threads: threads, Memory: memory.Available()}
	solver, err := spot.New(s, o)
	if err != nil {
		return err
	}
	start := time.Now()
	limits := spot.Limits{Iterations: 10_000, Exploitability: w.target / 100 * float64(s.Pot)}
	exploitability := solver.Solve(ctx, limits, func(float64) {})
	solved := time.Since(start).Seconds()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	start = time.Now()
	solver.Step()
	step := time.Since(start).Seconds()
	e := solver.Solution().Evaluate()
	for _, r := range []Row{
		{Metric: fmt.Sprintf("time to %g%% of the pot", w.target), Value: solved, Unit: "s"},
		{Metric: "iterations", Value: float64(solver.Iterations() - 1)},
		{Metric: "exploitability", Value: 100 * exploitability / float64(s.Pot), Unit: "% of the pot"},
		{Metric: "entries updated", Value: float64(solver.Entries()) / step / 1e6, Unit: "M/s"},
		{Metric: "memory", Value: float64(solver.Bytes()) / (1 << 20), Unit: "MiB"},
		{Metric: "value out of position", Value: e.Values[0], Unit: "chips"},
	} {
		r.Case, r.Threads = name, threads
		emit(r)
	}
	return nil
}
