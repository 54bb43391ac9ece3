package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"gamebots/cudalib"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/cfr/mccfr/published/reis"
)

// maxReisBytes bounds the device memory of a batch that is measured.
const maxReisBytes = 48 << 30

// onGPU measures the third program of Reis (2015), which is for GPUs, and then the
// deals a second of training by batches.
func (w reisWork) onGPU(ctx context.Context, d *cudalib.Device, emit func(Row)) error {
	for _, g := range w.games {
		game, err := boardlessGame(g.name)
		if err != nil {
			return err
		}
		t, err := reis.NewGPU(d, game, 1)
		if err != nil {
			return err
		}
		f := reisFigures{program: reis.GPUName, device: d.String()}
		err = f.train(ctx, t, g.step)
		f.kib.value, f.utility = float64(t.Bytes())/1024, t.AverageUtility()
		if err := errors.Join(err, t.Close()); err != nil {
			return err
		}
		if err := g.emit(f, emit); err != nil {
			return err
		}
		for _, batch := range w.batches {
			if err := w.measureBatches(ctx, d, game, batch, emit); err != nil {
				return err
			}
		}
	}
	return nil
}

// train measures the times of a program on a GPU.
func (f *reisFigures) train(ctx context.Context, t *reis.GPU, step int) error {
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
	for k := range f.seconds {
		if err := steps(step); err != nil {
			return err
		}
		f.seconds[k].value = time.Since(start).Seconds()
	}
	return nil
}

// measureBatches measures training by batches of a size, if they fit into memory.
func (w reisWork) measureBatches(
	ctx context.Context, d *cudalib.Device, game *mccfr.Game, batch int, emit func(Row),
) error {
	if reis.DealBatchBytes(game, batch) > maxReisBytes {
		return nil
	}
	t, err := reis.NewDealBatchGPU(d, game, batch, 1, runtime.NumCPU())
	if errors.As(err, new(*cudalib.MemoryError)) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	if err != nil {
		return err
	}
	speed, repeated, err := w.dealsPerSecond(ctx, t)
	name := fmt.Sprintf("%s, deals(%d)", game.Rules.Name, batch)
	memory := float64(t.Bytes()) / 1024
	if err := errors.Join(err, t.Close()); err != nil {
		return err
	}
	emit(Row{Case: name, Threads: runtime.NumCPU(), Metric: "speed", Value: speed, Unit: "deals/s", Repeated: repeated})
	emit(Row{Case: name, Threads: runtime.NumCPU(), Metric: "memory", Value: memory, Unit: "KiB"})
	return nil
}

// dealsPerSecond returns the median speed of several runs.
func (w reisWork) dealsPerSecond(ctx context.Context, t *reis.GPU) (float64, Repeated, error) {
	run := func(limit time.Duration) (uint64, time.Duration, error) {
		first, start := t.Iterations(), time.Now()
		for t.Iterations() == first || time.Since(start) < limit && ctx.Err() == nil {
			t.StepUpTo(w.deals)
			if t.Err() != nil {
				break
			}
		}
		return t.Iterations() - first, time.Since(start), errors.Join(t.Err(), context.Cause(ctx))
	}
	if _, _, err := run(w.time / 4); err != nil {
		return 0, Repeated{}, err
	}
	var speeds []float64
	for range benchRuns {
		n, spent, err := run(w.time / benchRuns)
		if err != nil {
			return 0, Repeated{}, err
		}
		speeds = append(speeds, float64(n)/spent.Seconds())
	}
	speed, repeated := median(speeds)
	return speed, repeated, nil
}
