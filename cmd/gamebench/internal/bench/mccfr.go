package bench

import (
	"context"
	"fmt"

	"gamebots/acpc"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/policy"
)

// oneBucket is the card abstraction with a single bucket, to measure training without
// the work on cards.
type oneBucket struct{}

func (oneBucket) Name() string                     { return "no" }
func (oneBucket) NumBuckets(int) int               { return 1 }
func (oneBucket) Bucket(int, abstraction.Deal) int { return 0 }

// samplingCase is a training that benchSampling times.
type samplingCase struct {
	game       string
	cards      func(*acpc.Game) policy.Buckets
	method     string
	iterations uint64 // iterations of a run
	threads    []int
}

// benchSampling measures the iterations a second of the samplings.
func benchSampling(ctx context.Context, emit func(Row)) error {
	noCards := func(*acpc.Game) policy.Buckets { return oneBucket{} }
	for _, c := range []samplingCase{
		{game: "leduc", cards: losslessCards, method: "external", iterations: 500_000, threads: []int{1}},
		{game: "leduc", cards: losslessCards, method: "external(1000)", iterations: 500_000, threads: allThreads()},
		{game: "leduc", cards: losslessCards, method: "outcome", iterations: 500_000, threads: []int{1}},
		{game: "holdem-limit-2p", cards: noCards, method: "external", iterations: 50_000, threads: []int{1}},
		{game: "holdem-limit-2p", cards: noCards, method: "external(1000)", iterations: 50_000, threads: allThreads()},
	} {
		g, err := sampledGame(c.game, c.cards)
		if err != nil {
			return err
		}
		algorithm, err := train.ParseAlgorithm(c.method)
		if err != nil {
			return err
		}
		for _, threads := range c.threads {
			s := mccfr.NewSampler(g, algorithm.Method(), 1, threads)
			t, err := medianTime(func() error {
				for end := s.Iterations() + c.iterations; s.Iterations() < end; {
					s.Step()
				}
				return context.Cause(ctx)
			})
			if err != nil {
				return err
			}
			name := fmt.Sprintf("%s, %s cards, %s", c.game, g.Buckets.Name(), c.method)
			emit(Row{Case: name, Threads: threads, Metric: "speed", Value: float64(c.iterations) / t.Seconds(),
				Unit: "iterations/s", Repeated: t.Repeated})
		}
	}
	return nil
}
