package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"gamebots/cudalib"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/cfr/mccfr/published/reis"
)

// reisWork is the work of bench reis: deals of a game by the programs of M. Reis, A GPU implementation of
// counterfactual regret minimization, Universidade do Porto, 2015, and by batches on a GPU.
type reisWork struct {
	game  string
	cpu   int // deals of a run
	batch int
	deals uint64        // to ask a GPU for at a time
	time  time.Duration // least time of a run on a GPU
}

var fullReis = reisWork{game: "reis-d", cpu: 20, batch: 256, deals: 1 << 20, time: 400 * time.Millisecond}

// layout lays the game out with the card abstraction of Reis (2015).
func (w reisWork) layout() *mccfr.Game {
	rules := shipped(w.game)
	return must(mccfr.NewGame(rules, betting.Actions{}, abstraction.NewBoardless(rules)))
}

// onCPU measures his program that recurses.
func (w reisWork) onCPU(ctx context.Context, emit func(Row)) {
	t := reis.NewDepthFirst(w.layout(), 1)
	emitSpeed(emit, Row{Case: w.game, Variant: "recursive", Metric: "later speed", Threads: 1}, float64(w.cpu),
		"iterations/s", func() {
			for range w.cpu {
				t.Step()
			}
			check(context.Cause(ctx))
		})
}

// onGPU measures his third program, which is for GPUs, and batches of deals.
func (w reisWork) onGPU(ctx context.Context, d *cudalib.Device, emit func(Row)) {
	g := w.layout()
	t := must(reis.NewGPU(d, g, 1))
	r := Row{Case: w.game, Variant: reis.GPUName, Metric: "later speed"}
	w.measure(ctx, emit, r, "iterations/s", t, 1)
	t = must(reis.NewDealBatchGPU(d, g, w.batch, 1, runtime.NumCPU()))
	r = Row{Case: fmt.Sprintf("%s, deals(%d)", w.game, w.batch), Threads: runtime.NumCPU()}
	w.measure(ctx, emit, r, "deals/s", t, w.deals)
}

// measure emits the iterations a second of a training, which it does in steps of some, and closes it.
func (w reisWork) measure(ctx context.Context, emit func(Row), r Row, unit string, t *reis.GPU, step uint64) {
	var speeds []float64
	t.StepUpTo(step) // the first launches are slow
	for len(speeds) < benchRuns && t.Err() == nil && ctx.Err() == nil {
		before, start := t.Iterations(), time.Now()
		for t.Err() == nil && (t.Iterations() == before || time.Since(start) < w.time) {
			t.StepUpTo(step)
		}
		speeds = append(speeds, float64(t.Iterations()-before)/time.Since(start).Seconds())
	}
	check(errors.Join(t.Err(), t.Close(), context.Cause(ctx)))
	speed, repeated := median(speeds)
	r.Repeated = repeated
	emitAll(emit, r, figure{cmp.Or(r.Metric, "speed"), speed, unit})
}
