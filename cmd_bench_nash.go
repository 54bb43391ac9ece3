package main

import (
	"context"
	"hash/fnv"
	"time"

	"gamebots/solvers/nash"
)

// benchNash measures how long it takes to find all equilibria of random games.
func benchNash(ctx context.Context, emit func(row) error) error {
	for _, n := range []int{12, 16, 20, 24, 28} {
		took, err := medianNash(ctx, n, nash.Options{Method: nash.Labels})
		if err != nil {
			return err
		}
		if err := emit(row{Case: "labels", X: float64(n), Metric: "time", Value: took.Seconds(), Unit: "s"}); err != nil {
			return err
		}
	}
	return nil
}

// nashGame is a random game of n by n strategies, number s = 1, 2, 3.
func nashGame(n, s int) (*nash.Game, error) {
	return nash.Generate(nash.Recipe{Family: "RandomGame", Rows: n, Cols: n, Seed: uint64(1000*n + s)})
}

// medianNash solves the three random games of a size and returns the mean time.
func medianNash(ctx context.Context, n int, o nash.Options) (mean time.Duration, err error) {
	for s := 1; s <= 3; s++ {
		g, err := nashGame(n, s)
		if err != nil {
			return 0, err
		}
		start := time.Now()
		if _, err := nash.Solve(ctx, g, o); err != nil {
			return 0, err
		}
		mean += time.Since(start) / 3
	}
	return mean, nil
}

// signNash solves random games, and a degenerate one of each family.
func signNash(ctx context.Context) (uint64, error) {
	h := fnv.New64a()
	sign := func(r nash.Recipe) error {
		g, err := nash.Generate(r)
		if err != nil {
			return err
		}
		result, err := nash.Solve(ctx, g, nash.Options{})
		if err != nil {
			return err
		}
		return printNashJSON(h, g, result)
	}
	for n := 2; n <= 14; n += 3 {
		if err := sign(nash.Recipe{Family: "RandomGame", Rows: n, Cols: n + 1, Seed: uint64(n)}); err != nil {
			return 0, err
		}
	}
	for _, family := range []string{"TravelersDilemma", "WarOfAttrition", "CoordinationGame"} {
		if err := sign(nash.Recipe{Family: family, Rows: 6, Cols: 6, Seed: 1}); err != nil {
			return 0, err
		}
	}
	return h.Sum64(), nil
}
