package main

import (
	"context"
	"runtime"

	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/cfr/mccfr/published/reis"
)

// signDeals trains by batches of several sizes on the same deals.
func signDeals(_ context.Context, method methods) {
	h := method("")
	for _, name := range []string{"kuhn-3p", "leduc"} {
		game := sampledGame(name)
		for _, batch := range []int{1, 16, 300} {
			t := reis.NewDealBatch(game, batch, 1, runtime.NumCPU())
			for t.Iterations() < 1200 {
				t.Step()
			}
			sign(h, t.Weights())
		}
	}
}

// sampledGame lays out a game that comes with the program.
func sampledGame(game string) *mccfr.Game {
	rules := shipped(game)
	return must(mccfr.NewGame(rules, betting.Actions{}, abstraction.New(rules, abstraction.Lossless)))
}

// signSampling trains by external sampling, and by both programs of Reis (2015) for the
// CPU.
func signSampling(_ context.Context, method methods) {
	const iterations = 640
	for _, game := range []string{"kuhn", "kuhn-3p", "leduc"} {
		g := sampledGame(game)
		type trainer interface {
			Step()
			Iterations() uint64
			Weights() []float32
		}
		trainers := map[string]trainer{
			"depth-first": reis.NewDepthFirst(g, 1), "level-order": reis.NewLevelOrder(g, 1, runtime.NumCPU()),
		}
		for _, m := range []mccfr.Method{{Batch: 1}, {Batch: 64}} {
			trainers[m.String()] = mccfr.NewSampler(g, m, 1, runtime.NumCPU())
		}
		for name, t := range trainers {
			for t.Iterations() < iterations {
				t.Step()
			}
			sign(method(name), t.Weights())
		}
	}
}
