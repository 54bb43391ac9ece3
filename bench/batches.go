package bench

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"runtime"
	"sync"
	"sync/atomic"

	"gamebots/internal/stats"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/cfr/mccfr/reis"
)

// batchCurves are what benchBatches measures: NashConv after these numbers of
// deals, by sizes of batches, as the mean of several seeds. Games of more players
// differ more from seed to seed.
var batchCurves = struct {
	games   []string
	seeds   []uint64 // by game
	batches []int
	deals   []uint64
}{
	[]string{"kuhn-3p", "leduc"}, []uint64{48, 16}, []int{1, 4, 8, 16, 256, 4096}, []uint64{10_000, 30_000, 100_000, 300_000, 1_000_000},
}

// benchBatches measures what a batch of deals costs: all of it are played by the
// strategies from before it.
func benchBatches(ctx context.Context, emit func(Row) error) error {
	for i, name := range batchCurves.games {
		game, err := sampledGame(name, losslessCards)
		if err != nil {
			return err
		}
		layout, err := layoutOf(name, abstraction.Lossless)
		if err != nil {
			return err
		}
		for _, batch := range batchCurves.batches {
			curves, err := batchOfCurves(ctx, game, layout, batch, batchCurves.seeds[i])
			if err != nil {
				return err
			}
			for k, deals := range batchCurves.deals {
				var found stats.Sample
				for _, curve := range curves {
					found.Add(curve[k])
				}
				r := Row{Case: fmt.Sprintf("%s, deals(%d), deals", name, batch), X: float64(deals), Threads: 1, Metric: "NashConv", Value: found.Mean(), Unit: "chips"}
				if err := emit(r); err != nil {
					return err
				}
				r.Case, r.X = fmt.Sprintf("%s, deals(%d), %d deals", name, batch, deals), 0
				r.Metric, r.Value = "NashConv ±95%", found.Interval95()
				if err := emit(r); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// batchOfCurves returns the curves of so many seeds.
func batchOfCurves(ctx context.Context, game *mccfr.Game, layout *cfr.Layout, batch int, seeds uint64) ([][]float64, error) {
	curves := make([][]float64, seeds)
	var next atomic.Int64
	var group sync.WaitGroup
	for range runtime.NumCPU() {
		group.Go(func() {
			for seed := next.Add(1) - 1; seed < int64(seeds); seed = next.Add(1) - 1 {
				curves[seed] = batchCurve(ctx, game, layout, batch, uint64(seed))
			}
		})
	}
	group.Wait()
	return curves, context.Cause(ctx)
}

// batchCurve trains by batches of deals, and returns NashConv after each number of
// deals.
func batchCurve(ctx context.Context, game *mccfr.Game, layout *cfr.Layout, batch int, seed uint64) (curve []float64) {
	e, t := cfr.NewEvaluator(layout, 1), reis.NewDealBatch(game, batch, seed, 1)
	for _, deals := range batchCurves.deals {
		for t.Iterations() < deals && ctx.Err() == nil {
			t.Step()
		}
		curve = append(curve, e.Evaluate(t.Weights()).NashConv())
	}
	return curve
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
			t := reis.NewDealBatch(game, batch, 1, runtime.NumCPU())
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
