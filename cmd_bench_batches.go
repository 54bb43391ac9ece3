package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"runtime"

	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/mccfr"
)

// batchCurves are what benchBatches measures: NashConv after these numbers of
// deals, by sizes of batches, as the mean of several seeds.
var batchCurves = struct {
	games   []string
	batches []int
	deals   []uint64
	seeds   uint64
}{
	[]string{"kuhn-3p", "leduc"}, []int{1, 4, 16, 256, 4096}, []uint64{10_000, 30_000, 100_000, 300_000, 1_000_000}, 5,
}

// benchBatches measures what a batch of deals costs: all of it are played by the
// strategies from before it.
func benchBatches(ctx context.Context, emit func(row) error) error {
	for _, name := range batchCurves.games {
		game, err := sampledGame(name, losslessCards)
		if err != nil {
			return err
		}
		layout, err := layoutOf(name, abstraction.Lossless)
		if err != nil {
			return err
		}
		e := cfr.NewEvaluator(layout, runtime.NumCPU())
		for _, batch := range batchCurves.batches {
			sum := make([]float64, len(batchCurves.deals))
			for seed := range batchCurves.seeds {
				t := mccfr.NewDeals(game, batch, seed, runtime.NumCPU())
				for i, deals := range batchCurves.deals {
					for t.Iterations() < deals && ctx.Err() == nil {
						t.Step()
					}
					sum[i] += e.Evaluate(t.Weights()).NashConv()
				}
				if err := context.Cause(ctx); err != nil {
					return err
				}
			}
			for i, deals := range batchCurves.deals {
				r := row{Case: fmt.Sprintf("%s, deals(%d), deals", name, batch), X: float64(deals), Threads: runtime.NumCPU(),
					Metric: "NashConv", Value: sum[i] / float64(batchCurves.seeds), Unit: "chips"}
				if err := emit(r); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// signDeals trains by batches of deals, the same deals by each size.
func signDeals(context.Context) (uint64, error) {
	h := fnv.New64a()
	for _, name := range batchCurves.games {
		game, err := sampledGame(name, losslessCards)
		if err != nil {
			return 0, err
		}
		for _, batch := range []int{1, 16, 300} {
			t := mccfr.NewDeals(game, batch, 1, runtime.NumCPU())
			for t.Iterations() < 1200 {
				t.Step()
			}
			if err := binary.Write(h, binary.LittleEndian, t.Weights()); err != nil {
				return 0, err
			}
		}
	}
	return h.Sum64(), nil
}
