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
		run, err := g.train(ctx, t)
		run.KiB = float64(t.Bytes()) / 1024
		if err := errors.Join(err, t.Close()); err != nil {
			return err
		}
		g.emit(emit, Row{Variant: reis.GPUName}, run)
		for _, batch := range w.batches {
			if err := w.measureBatches(ctx, d, game, batch, emit); err != nil {
				return err
			}
		}
	}
	return nil
}

// train measures the times of a program on a GPU.
func (g reisGame) train(ctx context.Context, t *reis.GPU) (run ReisRun, err error) {
	steps := func(n int) error {
		for end := t.Iterations() + uint64(n); t.Iterations() < end && t.Err() == nil; {
			t.StepUpTo(1)
		}
		return errors.Join(t.Err(), context.Cause(ctx))
	}
	err = steps(10) // the first launches are slow
	start := time.Now()
	for k := 0; k < len(run.Seconds) && err == nil; k++ {
		err = steps(g.step)
		run.Seconds[k] = time.Since(start).Seconds()
	}
	return run, err
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
	name := fmt.Sprintf("%s, deals(%d)", game.Rules.Name, batch)
	return emitTraining(ctx, emit, name, manySteps{t, w.deals}, w.time, "deals/s", t.Bytes())
}

// manySteps is a training that does many deals a step.
type manySteps struct {
	*reis.GPU
	deals uint64
}

func (s manySteps) Step() { s.StepUpTo(s.deals) }
