package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"gamebots/cudalib"
	"gamebots/cudalib/probe"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/ondevice"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/cfr/train"
)

// vectorWork is the work of gamebench cfr-vector: trainings to time for some
// iterations, and on a GPU also to an exploitability.
type vectorWork struct {
	cases   []vectorCase
	targets []vectorTarget
}

// vectorCase is a training of a game.
type vectorCase struct {
	game         string
	suits, ranks int // size of the deck; 0 for the game's own
	cards        abstraction.Kind
	cpu, gpu     uint64 // iterations of a run
	copies       int    // trained at once, on a GPU; the CPU skips cases of more than one
}

// vectorTarget is an exploitability to train a game to.
type vectorTarget struct {
	game  string
	chips float64
}

var fullVector = vectorWork{
	cases: []vectorCase{
		{game: "kuhn", cards: abstraction.Lossless, cpu: 10_000, gpu: 10_000, copies: 1},
		{game: "leduc", cards: abstraction.Lossless, cpu: 10_000, gpu: 10_000, copies: 1},
		{game: "leduc", cards: abstraction.Lossless, gpu: 2_000, copies: 1000},
		{game: "leduc", cards: abstraction.None, cpu: 5_000, gpu: 5_000, copies: 1},
		// about where a GPU begins to gain
		{game: "leduc", suits: 2, ranks: 5, cards: abstraction.None, cpu: 1_000, gpu: 1_000, copies: 1},
		{game: "leduc", suits: 2, ranks: 8, cards: abstraction.None, cpu: 1_000, gpu: 1_000, copies: 1},
		{game: "leduc", suits: 3, ranks: 8, cards: abstraction.None, cpu: 1_000, gpu: 1_000, copies: 1},
		{game: "leduc", suits: 4, ranks: 13, cards: abstraction.None, cpu: 500, gpu: 1_000, copies: 1},
		{game: "rhode-island", cards: abstraction.Lossless, cpu: 20, gpu: 400, copies: 1},
		{game: "holdem-limit-flop", cards: abstraction.Lossless, cpu: 1, gpu: 40, copies: 1},
	},
	// 2 mb and 1 mb
	targets: []vectorTarget{{game: "rhode-island", chips: 0.01}, {game: "holdem-limit-flop", chips: 0.01}},
}

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

func (c vectorCase) layout() (*publictree.Layout, error) {
	g := shipped(c.game)
	if c.ranks > 0 {
		g.NumSuits, g.NumRanks = c.suits, c.ranks
	}
	return publictree.Prepare(g, betting.Actions{}, c.cards, memory.Available())
}

// speed returns the iterations a second of a trainer, over all copies, in runs of a
// number of iterations.
func (c vectorCase) speed(ctx context.Context, t train.Learner, iterations uint64) (float64, Repeated, error) {
	took, err := medianTime(func() error { return iterate(ctx, t, t.Iterations()+iterations) })
	return float64(iterations) * float64(c.copies) / took.Seconds(), took.Repeated, err
}

// iterate trains until the trainer has done the iterations. An iteration on a
// CPU may take seconds: when the context is done, iterate returns and abandons it
// with its trainer.
func iterate(ctx context.Context, t train.Learner, iterations uint64) error {
	run := func() {
		train.Iterate(t, nil, train.Goal{Iterations: iterations}, func(train.Progress) bool { return ctx.Err() == nil })
	}
	if d, ok := t.(*ondevice.Trainer); ok { // is closed after the bench, so not abandoned
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

func (w vectorWork) onCPU(ctx context.Context, emit func(Row)) error {
	for _, c := range w.cases {
		if c.copies > 1 {
			continue
		}
		l, err := c.layout()
		if err != nil {
			return err
		}
		for _, threads := range slices.Compact([]int{1, runtime.NumCPU()}) {
			speed, repeated, err := c.speed(ctx, cfr.NewTrainer(l, cfr.Algorithms[0], threads), c.cpu)
			if err != nil {
				return err
			}
			emit(Row{Case: c.String(), Threads: threads, Metric: "speed", Value: speed, Unit: "iterations/s",
				Repeated: repeated})
		}
	}
	return nil
}

func (w vectorWork) onGPU(ctx context.Context, d *cudalib.Device, emit func(Row)) error {
	best, err := probe.Measure(d)
	if err != nil {
		return err
	}
	for _, c := range w.cases {
		l, err := c.layout()
		if err != nil {
			return err
		}
		t, err := ondevice.NewTrainer(d, l, cfr.Algorithms[0], c.copies)
		if err != nil {
			return err
		}
		speed, repeated, err := c.speed(ctx, t, c.gpu)
		bytes, launches := t.Floor()
		if err := errors.Join(err, t.Close()); err != nil {
			return err
		}
		floor := max(bytes/best.Copy, launches*best.GraphLaunch.Seconds()) / float64(c.copies)
		emit(Row{Case: c.String(), Metric: "speed", Value: speed, Unit: "iterations/s", Repeated: repeated})
		emit(Row{Case: c.String(), Metric: "floor", Value: floor * 1e6, Unit: "µs/iteration"})
		emit(Row{Case: c.String(), Metric: "over the floor", Value: 1 / speed / floor, Unit: "times"})
	}
	for _, target := range w.targets {
		if err := target.measure(ctx, d, emit); err != nil {
			return err
		}
	}
	return nil
}

// measure times the training to the exploitability: with the evaluations that find
// out how many iterations it takes, and without.
func (t vectorTarget) measure(ctx context.Context, d *cudalib.Device, emit func(Row)) error {
	l, err := layoutOf(t.game, abstraction.Lossless)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("%s to %g chips, dcfr", t.game, t.chips)
	var iterations uint64
	var whole, training []float64 // seconds
	for range 1 + benchRuns {
		start := time.Now()
		e, err := ondevice.NewEvaluator(d, l)
		if err != nil {
			return err
		}
		gpu, err := ondevice.NewTrainer(d, l, cfr.Algorithms[0], 1)
		if err != nil {
			return errors.Join(err, e.Close())
		}
		iterations = train.Iterate(gpu, func() publictree.Evaluation { return e.EvaluateTrainer(gpu) },
			train.Goal{Exploitability: t.chips},
			func(train.Progress) bool { return ctx.Err() == nil }).Iterations
		whole = append(whole, time.Since(start).Seconds())
		start = time.Now()
		err = iterate(ctx, gpu, 2*iterations)
		training = append(training, time.Since(start).Seconds())
		if err := errors.Join(err, gpu.Err(), gpu.Close(), e.Close(), context.Cause(ctx)); err != nil {
			return err
		}
	}
	trained, trainedTimes := median(training[1:]) // the first is not counted
	all, allTimes := median(whole[1:])
	emit(Row{Case: name, Metric: "iterations", Value: float64(iterations), Unit: "iterations"})
	emit(Row{Case: name, Metric: "training", Value: 1000 * trained, Unit: "ms", Repeated: trainedTimes})
	emit(Row{Case: name, Metric: "with evaluations", Value: 1000 * all, Unit: "ms", Repeated: allTimes})
	return nil
}
