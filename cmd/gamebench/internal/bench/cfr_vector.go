package bench

import (
	"context"
	"errors"
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
func (c vectorCase) speed(ctx context.Context, t train.Learner, iterations uint64, emit func(Row), threads int) error {
	return emitSpeed(emit, Row{Case: c.String(), Threads: threads}, float64(iterations)*float64(c.copies),
		"iterations/s", func() error { return iterate(ctx, t, t.Iterations()+iterations) })
}

// iterate trains until the trainer has done the iterations.
func iterate(ctx context.Context, t train.Learner, iterations uint64) error {
	train.Iterate(t, nil, train.Goal{Iterations: iterations}, func(train.Progress) bool { return ctx.Err() == nil })
	if d, ok := t.(*ondevice.Trainer); ok && d.Err() != nil {
		return d.Err()
	}
	return context.Cause(ctx)
}

func (w vectorWork) onCPU(ctx context.Context, emit func(Row)) error {
	for _, c := range w.cases {
		if c.copies > 1 {
			continue
		}
		l, err := layoutOf(c.game)
		if err != nil {
			return err
		}
		for _, threads := range allThreads() {
			if err := c.speed(ctx, cfr.NewTrainer(l, cfr.Algorithms[0], threads), c.cpu, emit, threads); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w vectorWork) onGPU(ctx context.Context, d *cudalib.Device, emit func(Row)) error {
	for _, c := range w.cases {
		l, err := layoutOf(c.game)
		if err != nil {
			return err
		}
		t, err := ondevice.NewTrainer(d, l, cfr.Algorithms[0], c.copies)
		if err != nil {
			return err
		}
		err = c.speed(ctx, t, c.gpu, emit, 0)
		if err := errors.Join(err, t.Close()); err != nil {
			return err
		}
	}
	return w.target.measure(ctx, d, emit)
}

// measure times the training to the exploitability, without evaluations.
func (t vectorTarget) measure(ctx context.Context, d *cudalib.Device, emit func(Row)) error {
	l, err := layoutOf(t.game)
	if err != nil {
		return err
	}
	e, err := ondevice.NewEvaluator(d, l)
	if err != nil {
		return err
	}
	gpu, err := ondevice.NewTrainer(d, l, cfr.Algorithms[0], 1)
	if err != nil {
		return errors.Join(err, e.Close())
	}
	iterations := train.Iterate(gpu, func() publictree.Evaluation { return e.EvaluateTrainer(gpu) },
		train.Goal{Exploitability: t.chips}, func(train.Progress) bool { return ctx.Err() == nil }).Iterations
	r := Row{Case: fmt.Sprintf("%s to %g chips, dcfr", t.game, t.chips)}
	emitAll(emit, r, figure{"iterations", float64(iterations), "iterations"})
	err = emitTime(emit, r, func() error { return iterate(ctx, gpu, gpu.Iterations()+iterations) })
	return errors.Join(err, gpu.Err(), gpu.Close(), e.Close())
}
