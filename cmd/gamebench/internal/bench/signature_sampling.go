package bench

import (
	"context"
	"encoding/binary"
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

// signDeals trains by batches of several sizes on the same deals.
func signDeals(_ context.Context, method methods) error {
	h := method("")
	for _, name := range []string{"kuhn-3p", "leduc"} {
		game, err := sampledGame(name, losslessCards)
		if err != nil {
			return err
		}
		for _, batch := range []int{1, 16, 300} {
			t := reis.NewDealBatch(game, batch, 1, runtime.NumCPU())
			for t.Iterations() < 1200 {
				t.Step()
			}
			if err := binary.Write(h, binary.LittleEndian, t.Weights()); err != nil {
				return err
			}
		}
	}
	return nil
}

func losslessCards(g *acpc.Game) policy.Buckets { return abstraction.New(g, abstraction.Lossless) }

// sampledGame lays out a game that comes with the program with a card abstraction.
func sampledGame(game string, cards func(*acpc.Game) policy.Buckets) (*mccfr.Game, error) {
	rules, err := configs.Game(game)
	if err != nil {
		return nil, err
	}
	return mccfr.NewGame(rules, betting.Actions{}, cards(rules))
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
