package bench

import (
	"context"
	"fmt"
	"runtime"

	"gamebots/internal/parallel"
	"gamebots/internal/stats"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/cfr/mccfr/published/reis"
	"gamebots/solvers/cfr/publictree"
)

// batchesWork is the work of bench batches: NashConv of training by batches of
// deals, by size of the batch and number of deals. A larger batch plays more deals by
// older strategies.
type batchesWork struct {
	games   []batchesGame
	batches []int    // sizes
	deals   []uint64 // ascending
}

// batchesGame is a game and the number of seeds over which its figures are means.
// Games of more players differ more from seed to seed.
type batchesGame struct {
	name  string
	seeds int
}

var fullBatches = batchesWork{
	games:   []batchesGame{{name: "kuhn-3p", seeds: 48}, {name: "leduc", seeds: 16}},
	batches: []int{1, 4, 8, 16, 256, 4096},
	deals:   []uint64{10_000, 30_000, 100_000, 300_000, 1_000_000},
}

func (w batchesWork) run(ctx context.Context, emit func(Row)) error {
	for _, g := range w.games {
		game, err := sampledGame(g.name, losslessCards)
		if err != nil {
			return err
		}
		layout, err := layoutOf(g.name, abstraction.Lossless)
		if err != nil {
			return err
		}
		for _, batch := range w.batches {
			curves := make([][]float64, g.seeds)
			parallel.For(runtime.NumCPU(), g.seeds, func(_, seed int) {
				curves[seed] = w.curve(ctx, game, layout, batch, uint64(seed))
			})
			if err := context.Cause(ctx); err != nil {
				return err
			}
			for k, deals := range w.deals {
				var nashConv stats.Sample
				for _, curve := range curves {
					nashConv.Add(curve[k])
				}
				r := Row{Case: fmt.Sprintf("%s, deals(%d), deals", g.name, batch), X: float64(deals), Threads: 1,
					Metric: "NashConv", Value: nashConv.Mean(), Unit: "chips"}
				emit(r)
				r.Case, r.X = fmt.Sprintf("%s, deals(%d), %d deals", g.name, batch, deals), 0
				r.Metric, r.Value = "NashConv ±95%", nashConv.Interval95()
				emit(r)
			}
		}
	}
	return nil
}

// curve trains by batches of a size, and returns NashConv after each number of deals.
func (w batchesWork) curve(
	ctx context.Context, game *mccfr.Game, layout *publictree.Layout, batch int, seed uint64,
) (curve []float64) {
	e, t := publictree.NewEvaluator(layout, 1), reis.NewDealBatch(game, batch, seed, 1)
	for _, deals := range w.deals {
		for t.Iterations() < deals && ctx.Err() == nil {
			t.Step()
		}
		curve = append(curve, e.Evaluate(t.Weights()).NashConv())
	}
	return curve
}
