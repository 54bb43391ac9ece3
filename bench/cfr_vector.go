package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"gamebots/configs"
	"gamebots/cudalib"
	"gamebots/cudalib/probe"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
)

// vectorCase is a training that bench cfr-vector times; a run does so many
// iterations on a CPU, and on a GPU.
type vectorCase struct {
	game         string
	suits, ranks int // 0: as the game has them
	cards        abstraction.Kind
	cpu, gpu     uint64
	copies       int // on a GPU; the CPU does those with one only
}

var vectorCases = []vectorCase{
	{"kuhn", 0, 0, abstraction.Lossless, 10_000, 10_000, 1},
	{"leduc", 0, 0, abstraction.Lossless, 10_000, 10_000, 1},
	{"leduc", 0, 0, abstraction.Lossless, 0, 2_000, 1000},
	{"leduc", 0, 0, abstraction.None, 5_000, 5_000, 1},
	{"leduc", 2, 5, abstraction.None, 1_000, 1_000, 1}, // about where a GPU begins to gain
	{"leduc", 2, 8, abstraction.None, 1_000, 1_000, 1},
	{"leduc", 3, 8, abstraction.None, 1_000, 1_000, 1},
	{"leduc", 4, 13, abstraction.None, 500, 1_000, 1},
	{"rhode-island", 0, 0, abstraction.Lossless, 20, 400, 1},
	{"holdem-limit-flop", 0, 0, abstraction.Lossless, 1, 40, 1},
}

// target is an exploitability to train a game to.
type target struct {
	game  string
	chips float64
}

var vectorTargets = []target{{"rhode-island", 0.01}, {"holdem-limit-flop", 0.01}} // 2 mb and 1 mb

func (c vectorCase) String() string {
	name := fmt.Sprintf("%s, dcfr, %v cards", c.game, c.cards)
	if c.ranks > 0 {
		name += fmt.Sprintf(", a deck of %d", c.suits*c.ranks)
	}
	if c.copies > 1 {
		name += fmt.Sprintf(", %d games", c.copies)
	}
	return name
}

func (c vectorCase) layout() (*cfr.Layout, error) {
	g, err := configs.Game(c.game)
	if err != nil {
		return nil, err
	}
	if c.ranks > 0 {
		g.NumSuits, g.NumRanks = c.suits, c.ranks
	}
	return cfr.Prepare(g, betting.Actions{}, c.cards, memory.Available())
}

// time returns how many iterations a second a trainer does, of all copies, if a run
// does so many.
func (c vectorCase) time(ctx context.Context, t cfr.Learner, iterations uint64) (float64, error) {
	took, err := medianTime(func() error { return iterate(ctx, t, t.Iterations()+iterations) })
	return float64(iterations) * float64(c.copies) / took.Seconds(), err
}

// iterate trains up to so many iterations. An iteration on a CPU may take
// seconds: if the context is done it is left to itself, and so is the trainer.
func iterate(ctx context.Context, t cfr.Learner, iterations uint64) error {
	run := func() {
		cfr.Run(t, nil, cfr.Goal{Iterations: iterations}, func(cfr.Progress) bool { return ctx.Err() == nil })
	}
	if d, ok := t.(*cfr.DeviceTrainer); ok { // that will be closed
		run()
		return cmp.Or(d.Err(), context.Cause(ctx))
	}
	done := make(chan struct{})
	go func() { defer close(done); run() }()
	select {
	case <-done:
	case <-ctx.Done():
	}
	return context.Cause(ctx)
}

func benchVector(ctx context.Context, emit func(Row) error) error {
	for _, c := range vectorCases {
		if c.copies > 1 {
			continue
		}
		l, err := c.layout()
		if err != nil {
			return err
		}
		for _, threads := range slices.Compact([]int{1, runtime.NumCPU()}) {
			speed, err := c.time(ctx, cfr.NewTrainer(l, cfr.Algorithms[0], threads), c.cpu)
			if err != nil {
				return err
			}
			if err := emit(Row{Case: c.String(), Threads: threads, Metric: "speed", Value: speed, Unit: "iterations/s"}); err != nil {
				return err
			}
		}
	}
	return nil
}

func benchVectorGPU(ctx context.Context, d *cudalib.Device, emit func(Row) error) error {
	best, err := probe.Measure(d)
	if err != nil {
		return err
	}
	for _, c := range vectorCases {
		l, err := c.layout()
		if err != nil {
			return err
		}
		t, err := cfr.NewDeviceTrainer(d, l, cfr.Algorithms[0], c.copies)
		if err != nil {
			return err
		}
		speed, err := c.time(ctx, t, c.gpu)
		bytes, launches := t.Floor()
		if err := errors.Join(err, t.Close()); err != nil {
			return err
		}
		floor := max(bytes/best.Copy, launches*best.GraphLaunch.Seconds()) / float64(c.copies)
		if err := errors.Join(
			emit(Row{Case: c.String(), Metric: "speed", Value: speed, Unit: "iterations/s"}),
			emit(Row{Case: c.String(), Metric: "floor", Value: floor * 1e6, Unit: "µs/iteration"}),
			emit(Row{Case: c.String(), Metric: "over the floor", Value: 1 / speed / floor, Unit: "times"})); err != nil {
			return err
		}
	}
	for _, goal := range vectorTargets {
		if err := goal.time(ctx, d, emit); err != nil {
			return err
		}
	}
	return nil
}

// time times the training of a game to an exploitability: with the evaluations
// that find out how many iterations it takes, and without.
func (t target) time(ctx context.Context, d *cudalib.Device, emit func(Row) error) error {
	l, err := layoutOf(t.game, abstraction.Lossless)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("%s to %g chips, dcfr", t.game, t.chips)
	var iterations uint64
	var whole, training []time.Duration
	for range 1 + benchRuns {
		start := time.Now()
		e, err := cfr.NewDeviceEvaluator(d, l)
		if err != nil {
			return err
		}
		gpu, err := cfr.NewDeviceTrainer(d, l, cfr.Algorithms[0], 1)
		if err != nil {
			return errors.Join(err, e.Close())
		}
		iterations = cfr.Run(gpu, func() cfr.Evaluation { return e.EvaluateTrainer(gpu) }, cfr.Goal{Exploitability: t.chips},
			func(cfr.Progress) bool { return ctx.Err() == nil }).Iterations
		whole = append(whole, time.Since(start))
		start = time.Now()
		err = iterate(ctx, gpu, 2*iterations)
		training = append(training, time.Since(start))
		if err := errors.Join(err, gpu.Err(), gpu.Close(), e.Close(), context.Cause(ctx)); err != nil {
			return err
		}
	}
	median := func(d []time.Duration) float64 {
		slices.Sort(d[1:])
		return d[1:][benchRuns/2].Seconds() * 1000
	}
	return errors.Join(
		emit(Row{Case: name, Metric: "iterations", Value: float64(iterations), Unit: "iterations"}),
		emit(Row{Case: name, Metric: "training", Value: median(training), Unit: "ms"}),
		emit(Row{Case: name, Metric: "with evaluations", Value: median(whole), Unit: "ms"}))
}
