package bench

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"runtime"

	"gamebots/acpc"
	"gamebots/configs"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/cfr/mccfr/reis"
)

// oneBucket is the card abstraction that tells nothing apart. Programs that are
// measured without cards have it.
type oneBucket struct{}

func (oneBucket) Name() string                     { return "no" }
func (oneBucket) NumBuckets(int) int               { return 1 }
func (oneBucket) Bucket(int, abstraction.Deal) int { return 0 }

func losslessCards(g *acpc.Game) cfr.Buckets { return abstraction.New(g, abstraction.Lossless) }

// sampledGame lays a shipped game out with some cards.
func sampledGame(game string, cards func(*acpc.Game) cfr.Buckets) (*mccfr.Game, error) {
	rules, err := configs.Game(game)
	if err != nil {
		return nil, err
	}
	return mccfr.NewGame(rules, betting.Actions{}, cards(rules))
}

// benchSampling measures the iterations a second of samplers.
func benchSampling(ctx context.Context, emit func(Row) error) error {
	noCards := func(*acpc.Game) cfr.Buckets { return oneBucket{} }
	for _, c := range []struct {
		game       string
		cards      func(*acpc.Game) cfr.Buckets
		method     string
		iterations uint64
		threads    []int
	}{
		{"leduc", losslessCards, "external", 500_000, []int{1}},
		{"leduc", losslessCards, "external(1000)", 500_000, allThreads()},
		{"leduc", losslessCards, "outcome", 500_000, []int{1}},
		{"leduc", losslessCards, "chance", 50_000, []int{1}},
		{"leduc", losslessCards, "self-public", 50_000, []int{1}},
		{"leduc", losslessCards, "opponent-public", 50_000, []int{1}},
		{"leduc", losslessCards, "public", 50_000, []int{1}},
		{"holdem-limit-2p", noCards, "external", 50_000, []int{1}},
		{"holdem-limit-2p", noCards, "external(1000)", 50_000, allThreads()},
		{"holdem-limit-2p", noCards, "public", 2, []int{1}},
	} {
		g, err := sampledGame(c.game, c.cards)
		if err != nil {
			return err
		}
		method, err := mccfr.ParseMethod(c.method)
		if err != nil {
			return err
		}
		for _, threads := range c.threads {
			s := mccfr.NewSampler(g, method, 1, threads)
			t, err := medianTime(func() error {
				for end := s.Iterations() + c.iterations; s.Iterations() < end; {
					s.Step()
				}
				return context.Cause(ctx)
			})
			if err != nil {
				return err
			}
			name := fmt.Sprintf("%s, %s cards, %s", c.game, g.Buckets.Name(), method)
			if err := emit(Row{Case: name, Threads: threads, Metric: "speed", Value: float64(c.iterations) / t.Seconds(), Unit: "iterations/s"}); err != nil {
				return err
			}
		}
	}
	return nil
}

// signSampling trains by every sampling, and by both programs of Reis (2015).
func signSampling(context.Context) (uint64, error) {
	const iterations = 640
	h := fnv.New64a()
	for _, game := range []string{"kuhn", "kuhn-3p", "leduc"} {
		g, err := sampledGame(game, losslessCards)
		if err != nil {
			return 0, err
		}
		type trainer interface {
			Step()
			Iterations() uint64
			Weights() []float32
		}
		trainers := []trainer{reis.NewDepthFirst(g, 1), reis.NewLevelOrder(g, 1, runtime.NumCPU())}
		for _, text := range []string{"external", "outcome", "chance", "self-public", "opponent-public", "public", "external(64)"} {
			method, err := mccfr.ParseMethod(text)
			if err != nil {
				return 0, err
			}
			trainers = append(trainers, mccfr.NewSampler(g, method, 1, runtime.NumCPU()))
		}
		for _, t := range trainers {
			for t.Iterations() < iterations {
				t.Step()
			}
			if err := binary.Write(h, binary.LittleEndian, t.Weights()); err != nil {
				return 0, err
			}
		}
	}
	return h.Sum64(), nil
}
