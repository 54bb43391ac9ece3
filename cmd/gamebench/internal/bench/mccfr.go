package bench

import (
	"context"
	"encoding/binary"
	"fmt"
	"runtime"

	"gamebots/acpc"
	"gamebots/configs"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/cfr/mccfr/published/reis"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/policy"
)

// oneBucket is the card abstraction with a single bucket, to measure training without
// the work on cards.
type oneBucket struct{}

func (oneBucket) Name() string                     { return "no" }
func (oneBucket) NumBuckets(int) int               { return 1 }
func (oneBucket) Bucket(int, abstraction.Deal) int { return 0 }

func losslessCards(g *acpc.Game) policy.Buckets { return abstraction.New(g, abstraction.Lossless) }

// sampledGame lays out a game that comes with the program with a card abstraction.
func sampledGame(game string, cards func(*acpc.Game) policy.Buckets) (*mccfr.Game, error) {
	rules, err := configs.Game(game)
	if err != nil {
		return nil, err
	}
	return mccfr.NewGame(rules, betting.Actions{}, cards(rules))
}

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

// signSampling trains by every sampling, and by both programs of Reis (2015) for the
// CPU.
func signSampling(_ context.Context, method methods) error {
	const iterations = 640
	for _, game := range []string{"kuhn", "kuhn-3p", "leduc"} {
		g, err := sampledGame(game, losslessCards)
		if err != nil {
			return err
		}
		type trainer interface {
			Step()
			Iterations() uint64
			Weights() []float32
		}
		trainers := map[string]trainer{
			"depth-first": reis.NewDepthFirst(g, 1), "level-order": reis.NewLevelOrder(g, 1, runtime.NumCPU()),
		}
		for _, text := range []string{"external", "outcome", "external(64)"} {
			algorithm, err := train.ParseAlgorithm(text)
			if err != nil {
				return err
			}
			trainers[text] = mccfr.NewSampler(g, algorithm.Method(), 1, runtime.NumCPU())
		}
		for name, t := range trainers {
			for t.Iterations() < iterations {
				t.Step()
			}
			if err := binary.Write(method(name), binary.LittleEndian, t.Weights()); err != nil {
				return err
			}
		}
	}
	return nil
}
