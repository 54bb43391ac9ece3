package bench

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gamebots/bots/spots"
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
			emitAll(from(p.source, emit), Row{Case: p.spot}, figure{"value out of position", p.value, "chips"})
		}
	}
	for _, name := range w.spots {
		for _, threads := range allThreads() {
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
		s, err = spots.FromSettings(c)
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
	e := solver.Solution().Evaluate()
	emitAll(emit, Row{Case: name, Threads: threads},
		figure{fmt.Sprintf("time to %g%% of the pot", w.target), solved, "s"},
		figure{"exploitability", 100 * exploitability / float64(s.Pot), "% of the pot"},
		figure{"value out of position", e.Values[0], "chips"})
	return nil
}
