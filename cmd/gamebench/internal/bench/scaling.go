package bench

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"gamebots/configs"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/policy"
)

// benchScaling measures how training by external sampling gains from threads, on limit
// hold'em with quick cards for two and for three: 1, 2, 4 and so on up to the number of
// processors.
func benchScaling(ctx context.Context, emit func(Row)) error {
	if err := benchScalingOf(ctx, "holdem-limit-2p", betting.Actions{}, emit); err != nil {
		return err
	}
	return benchScalingOf(ctx, "holdem-limit-3p", betting.Actions{}.Forgetful(), emit)
}

const (
	// scalingRounds is how often each number of threads is measured. The rounds of all of them
	// alternate, so that other work on the machine and the clock of its cores meet all alike.
	scalingRounds = 7
	scalingRound  = 500 * time.Millisecond
)

// benchScalingOf is benchScaling of a game. Speeds are medians of rounds.
func benchScalingOf(ctx context.Context, game string, actions betting.Actions, emit func(Row)) error {
	rules, err := configs.Game(game)
	if err != nil {
		return err
	}
	spec := policy.GameSpec{Game: rules, Cards: "quick", Actions: actions}
	buckets, err := cfr.OpenSampled(spec, 32, memory.Available(), func(float64) {})
	if err != nil {
		return err
	}
	g, err := mccfr.NewGame(rules, spec.Actions, buckets)
	if err != nil {
		return err
	}
	counts := doublings(runtime.NumCPU())
	batch := mccfr.DefaultBatch(g)
	for _, text := range []string{fmt.Sprintf("external(%d)", batch), fmt.Sprintf("external(%d)", 4*batch)} {
		algorithm, err := train.ParseAlgorithm(text)
		if err != nil {
			return err
		}
		samplers, speeds := make([]*mccfr.Sampler, len(counts)), make([][]float64, len(counts))
		for i, threads := range counts {
			samplers[i] = mccfr.NewSampler(g, algorithm.Method(), 1, threads)
			samplers[i].Step() // brings the tables into memory
		}
		for range scalingRounds {
			for i, s := range samplers {
				done, start := s.Iterations(), time.Now()
				for time.Since(start) < scalingRound && ctx.Err() == nil {
					s.Step()
				}
				speeds[i] = append(speeds[i], float64(s.Iterations()-done)/time.Since(start).Seconds())
			}
		}
		if err := context.Cause(ctx); err != nil {
			return err
		}
		for i, threads := range counts {
			speed, repeated := median(speeds[i])
			emit(Row{Case: fmt.Sprintf("%s, %s", rules.Name, text), Threads: threads, Metric: "speed", Value: speed,
				Unit: "iterations/s", Repeated: repeated})
		}
	}
	return nil
}

// doublings returns 1, 2, 4 and so on up to n, and n.
func doublings(n int) (all []int) {
	for k := 1; k < n; k *= 2 {
		all = append(all, k)
	}
	return append(all, n)
}
