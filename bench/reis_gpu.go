package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"gamebots/configs"
	"gamebots/cudalib"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/cfr/mccfr/reis"
)

// deviceTrainer is a trainer by deals on a GPU.
type deviceTrainer interface {
	StepUpTo(n uint64)
	Iterations() uint64
	Err() error
	Bytes() int64
	AverageUtility() []float64
	Close() error
}

// reisBatches are the sizes of the batches that are measured.
var reisBatches = []int{1, 16, 256, 4096}

// reisMemory is how much of a GPU's memory a batch may need to be measured.
const reisMemory = 48 << 30

// benchReisGPU measures the third program of Reis (2015) on his games, and then
// how many deals a second batches of several sizes reach.
func benchReisGPU(ctx context.Context, d *cudalib.Device, emit func(Row) error) error {
	for _, v := range reisVariants {
		rules, err := configs.Game(v.game)
		if err != nil {
			return err
		}
		game, err := mccfr.NewGame(rules, betting.Actions{}, abstraction.NewBoardless(rules))
		if err != nil {
			return err
		}
		t, err := reis.NewGPU(d, game, 1)
		if err != nil {
			return err
		}
		p := reisProgram{name: reis.GPUName + " on " + d.String()}
		err = p.train(ctx, t, v.iterations)
		p.kib, p.utility = float64(t.Bytes())/1024, t.AverageUtility()
		if err := errors.Join(err, t.Close()); err != nil {
			return err
		}
		if err := v.emit(p, emit); err != nil {
			return err
		}
		for _, batch := range reisBatches {
			if err := v.measureBatches(ctx, d, game, batch, emit); err != nil {
				return err
			}
		}
	}
	return nil
}

// train measures the program's times on a GPU.
func (p *reisProgram) train(ctx context.Context, t deviceTrainer, iterations int) error {
	steps := func(n int) error {
		for end := t.Iterations() + uint64(n); t.Iterations() < end && t.Err() == nil; {
			t.StepUpTo(1)
		}
		return errors.Join(t.Err(), context.Cause(ctx))
	}
	if err := steps(10); err != nil { // the first launches are slow
		return err
	}
	start := time.Now()
	for k := range p.seconds {
		if err := steps(iterations); err != nil {
			return err
		}
		p.seconds[k] = time.Since(start).Seconds()
	}
	return nil
}

// measureBatches measures training by batches of a size.
func (v *reisVariant) measureBatches(ctx context.Context, d *cudalib.Device, game *mccfr.Game, batch int, emit func(Row) error) error {
	if float64(reis.DealBatchBytes(game, batch)) > reisMemory {
		return nil
	}
	t, err := reis.NewDealBatchGPU(d, game, batch, 1, runtime.NumCPU())
	if errors.As(err, new(*cudalib.MemoryError)) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	if err != nil {
		return err
	}
	speed, err := dealsPerSecond(ctx, t)
	name := fmt.Sprintf("%s, deals(%d)", v.game, batch)
	return errors.Join(err,
		emit(Row{Case: name, Threads: runtime.NumCPU(), Metric: "speed", Value: speed, Unit: "deals/s"}),
		emit(Row{Case: name, Threads: runtime.NumCPU(), Metric: "memory", Value: float64(t.Bytes()) / 1024, Unit: "KiB"}),
		t.Close())
}

// reisTime is how long batches are trained for one figure, and reisDeals how many
// are asked for at a time.
var (
	reisTime         = 400 * time.Millisecond
	reisDeals uint64 = 1 << 20
)

// dealsPerSecond returns the median speed of several runs.
func dealsPerSecond(ctx context.Context, t deviceTrainer) (float64, error) {
	run := func(limit time.Duration) (uint64, time.Duration, error) {
		first, start := t.Iterations(), time.Now()
		for t.Iterations() == first || time.Since(start) < limit && ctx.Err() == nil {
			t.StepUpTo(reisDeals)
			if t.Err() != nil {
				break
			}
		}
		return t.Iterations() - first, time.Since(start), errors.Join(t.Err(), context.Cause(ctx))
	}
	if _, _, err := run(reisTime / 4); err != nil {
		return 0, err
	}
	var speeds []float64
	for range benchRuns {
		n, spent, err := run(reisTime / benchRuns)
		if err != nil {
			return 0, err
		}
		speeds = append(speeds, float64(n)/spent.Seconds())
	}
	slices.Sort(speeds)
	return speeds[benchRuns/2], nil
}
