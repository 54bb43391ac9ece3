package bench

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"gamebots/solvers/nash/correlated"
	"gamebots/solvers/nash/game"
)

// benchCorrelated measures the time to find and to verify the correlated equilibria of
// largest welfare of random games.
func benchCorrelated(ctx context.Context, emit func(Row)) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, sizes := range [][]int{{2, 2}, {10, 10}, {20, 20}, {3, 3, 3}, {8, 8, 8}} {
		for _, kind := range []correlated.Kind{correlated.Correlated, correlated.Coarse} {
			for seed := uint64(1); seed <= 3; seed++ {
				g, err := game.Random(seed, 0, 1000000, sizes...)
				if err != nil {
					return err
				}
				start := threadTime()
				if _, err := bestWelfare(ctx, g, kind); err != nil {
					return err
				}
				name := fmt.Sprintf("%v, %s, seed %d",
					kind, strings.ReplaceAll(strings.Trim(fmt.Sprint(sizes), "[]"), " ", "x"), seed)
				emit(Row{Case: name, Threads: 1, Metric: "time", Value: (threadTime() - start).Seconds(), Unit: "s"})
			}
		}
	}
	return nil
}

// bestWelfare returns a verified equilibrium.
func bestWelfare(ctx context.Context, g *game.NormalForm, kind correlated.Kind) (*correlated.Solution, error) {
	welfare := correlated.Welfare(g)
	s, err := correlated.Solve(ctx, g, kind, welfare)
	if err != nil {
		return nil, err
	}
	return s, s.Verify(g, welfare)
}

// signCorrelated solves random games.
func signCorrelated(ctx context.Context, method methods) error {
	h := method("")
	for i, sizes := range [][]int{{4, 5}, {3, 2, 3}, {2, 2, 2, 2}} {
		g, err := game.Random(uint64(i), 0, 1000, sizes...)
		if err != nil {
			return err
		}
		for _, kind := range []correlated.Kind{correlated.Correlated, correlated.Coarse} {
			s, err := bestWelfare(ctx, g, kind)
			if err != nil {
				return err
			}
			fmt.Fprintln(h, s.Probability, s.Multipliers)
		}
	}
	return nil
}
