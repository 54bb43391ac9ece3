package bench

import (
	"context"
	"runtime"
	"slices"
	"time"

	"gamebots/solvers/nash"
)

// benchDegeneracy measures the median time to find all equilibria of 20 random games of
// each size, with and without the test for degeneracy.
func benchDegeneracy(ctx context.Context, emit func(Row)) error {
	for _, test := range []nash.DegeneracyTest{nash.TestNever, nash.TestAlways} {
		for n := 12; n <= 20; n++ {
			var times []time.Duration
			for seed := 1; seed <= 20; seed++ {
				g, err := nashGame(n, seed)
				if err != nil {
					return err
				}
				start := time.Now()
				if _, err := nash.Solve(ctx, g, nash.Options{TestDegeneracy: test}); err != nil {
					return err
				}
				times = append(times, time.Since(start))
			}
			slices.Sort(times)
			median := (times[9] + times[10]).Seconds() / 2
			emit(Row{Case: "test " + string(test), X: float64(n), Threads: runtime.NumCPU(), Metric: "median time",
				Value: median, Unit: "s"})
		}
	}
	return nil
}
