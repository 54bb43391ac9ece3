package main

import (
	"context"
	"fmt"

	"gamebots/cudalib"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/ondevice"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/cfr/train"
)

// vectorWork is the work of gamebench cfr-vector: trainings to time for some
// iterations, and on a GPU also to an exploitability.
type vectorWork struct {
	cases  []vectorCase
	target vectorTarget
}

// vectorCase is a training of a game.
type vectorCase struct {
	game     string
	cpu, gpu uint64 // iterations of a run
	copies   int    // trained at once, on a GPU; the CPU skips cases of more than one
}

// vectorTarget is an exploitability to train a game to.
type vectorTarget struct {
	game  string
	chips float64
}

var fullVector = vectorWork{
	cases: []vectorCase{
		{game: "leduc", gpu: 2_000, copies: 1000},
		{game: "rhode-island", cpu: 20, gpu: 400, copies: 1},
	},
	target: vectorTarget{game: "rhode-island", chips: 0.01}, // 2 mb
}

func (c vectorCase) String() string {
	name := fmt.Sprintf("%s, dcfr, %v cards", c.game, abstraction.Lossless)
	if c.copies > 1 {
		name += fmt.Sprintf(", %d games", c.copies)
	}
	return name
}

// speed emits the iterations a second of a trainer, over all copies, in runs of a number of iterations.
func (c vectorCase) speed(ctx context.Context, t train.Learner, iterations uint64, emit func(Row), threads int) {
	emitSpeed(emit, Row{Case: c.String(), Threads: threads}, float64(iterations)*float64(c.copies),
		"iterations/s", func() { iterate(ctx, t, t.Iterations()+iterations) })
}

// iterate trains until the trainer has done the iterations.
func iterate(ctx context.Context, t train.Learner, iterations uint64) {
	train.Iterate(t, nil, train.Goal{Iterations: iterations}, func(train.Progress) bool { return ctx.Err() == nil })
	if d, ok := t.(*ondevice.Trainer); ok {
		check(d.Err())
	}
	check(context.Cause(ctx))
}

func (w vectorWork) onCPU(ctx context.Context, emit func(Row)) {
	for _, c := range w.cases {
		if c.copies > 1 {
			continue
		}
		l := layoutOf(c.game)
		for _, threads := range allThreads() {
			c.speed(ctx, cfr.NewTrainer(l, cfr.Algorithms[0], threads), c.cpu, emit, threads)
		}
	}
}

func (w vectorWork) onGPU(ctx context.Context, d *cudalib.Device, emit func(Row)) {
	for _, c := range w.cases {
		t := must(ondevice.NewTrainer(d, layoutOf(c.game), cfr.Algorithms[0], c.copies))
		c.speed(ctx, t, c.gpu, emit, 0)
		check(t.Close())
	}
	w.target.measure(ctx, d, emit)
}

// measure times the training to the exploitability, without evaluations.
func (t vectorTarget) measure(ctx context.Context, d *cudalib.Device, emit func(Row)) {
	l := layoutOf(t.game)
	e := must(ondevice.NewEvaluator(d, l))
	defer func() { _ = e.Close() }() // an error would not change the figures
	gpu := must(ondevice.NewTrainer(d, l, cfr.Algorithms[0], 1))
	defer func() { _ = gpu.Close() }() // an error would not change the figures
	iterations := train.Iterate(gpu, func() publictree.Evaluation { return e.EvaluateTrainer(gpu) },
		train.Goal{Exploitability: t.chips}, func(train.Progress) bool { return ctx.Err() == nil }).Iterations
	r := Row{Case: fmt.Sprintf("%s to %g chips, dcfr", t.game, t.chips)}
	emitAll(emit, r, figure{"iterations", float64(iterations), "iterations"})
	emitTime(emit, r, 1, "s", func() { iterate(ctx, gpu, gpu.Iterations()+iterations) })
	check(gpu.Err())
}
