package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"gamebots/cudalib"
	"gamebots/internal/rng"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/pcs"
	"gamebots/solvers/policy"
)

// pcsWork is the work of bench pcs: training by public chance sampling with any buckets.
type pcsWork struct {
	game     string
	buckets  arbitrary
	cpu, gpu []int         // sizes of batches
	time     time.Duration // least time of training for one figure
}

var fullPCS = pcsWork{
	game: "holdem-limit-2p", buckets: arbitrary{169, 9000, 9000, 9000},
	cpu: []int{8}, gpu: []int{64, 128, 256},
	time: 4 * time.Second,
}

// arbitrary is a card abstraction with some numbers of buckets by round, into which hands are
// put regardless of their strength. It takes no time to make.
type arbitrary []int

func (a arbitrary) Name() string             { return "arbitrary" }
func (a arbitrary) NumBuckets(round int) int { return a[round] }

func (a arbitrary) Bucket(round int, d abstraction.Deal) int {
	x := rng.Mix(uint64(d.Hole))
	for _, cards := range d.Board {
		x = rng.Mix(x ^ uint64(cards))
	}
	return int(x % uint64(a[round]))
}

// layout lays the game out for batches of a size.
func (w pcsWork) layout(batch int) (*pcs.Game, error) {
	rules := shipped(w.game)
	tree := betting.NewTree(rules, betting.Actions{}.ShapeOf(rules, 1<<20))
	return pcs.New(policy.NewIndex(tree, w.buckets), batch)
}

func (w pcsWork) onCPU(ctx context.Context, emit func(Row)) error {
	return w.measure(ctx, w.cpu, emit)
}

func (w pcsWork) onGPU(ctx context.Context, d *cudalib.Device, emit func(Row)) error {
	return w.measure(ctx, w.gpu, emit, d)
}

// measure measures the boards a second, each traversed for both players, after two batches.
func (w pcsWork) measure(ctx context.Context, batches []int, emit func(Row), on ...*cudalib.Device) error {
	for _, batch := range batches {
		g, err := w.layout(batch)
		if err != nil {
			return err
		}
		m := pcs.Method{Batch: batch}
		t, err := pcs.NewDeviceTrainer(on, g, m, 1, runtime.NumCPU())
		if err != nil {
			return err
		}
		name := fmt.Sprintf("%s, buckets %v, %v", w.game, []int(w.buckets), m)
		if err := emitTraining(ctx, emit, name, t, w.time, "boards/s", g.Bytes(batch)); err != nil {
			return err
		}
	}
	return nil
}

// stepper is a training whose device may fail.
type stepper interface {
	Step()
	Iterations() uint64
	Err() error
	Close() error
}

// emitTraining emits how many iterations a second a training does, after two steps, and its memory. It closes the
// training.
func emitTraining(
	ctx context.Context, emit func(Row), name string, t stepper, limit time.Duration, unit string, bytes int64,
) error {
	t.Step()
	t.Step()
	first, start := t.Iterations(), time.Now()
	for t.Err() == nil && ctx.Err() == nil && (t.Iterations() == first || time.Since(start) < limit) {
		t.Step()
	}
	speed := float64(t.Iterations()-first) / time.Since(start).Seconds()
	if err := errors.Join(t.Err(), t.Close(), context.Cause(ctx)); err != nil {
		return err
	}
	emitAll(emit, Row{Case: name, Threads: runtime.NumCPU()}, figure{"speed", speed, unit},
		figure{"memory", float64(bytes) / (1 << 20), "MiB"})
	return nil
}
