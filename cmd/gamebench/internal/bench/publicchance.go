package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"gamebots/configs"
	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/policy"
)

// publicChanceWork is the work of bench boards: training by public chance sampling in
// batches, and on a GPU then a match.
type publicChanceWork struct {
	game, cards string
	cpu, gpu    []int         // sizes of batches
	time        time.Duration // least time of training for one figure
	match       publicChanceMatch
}

var fullPublicChance = publicChanceWork{
	game: "holdem-limit-2p", cards: "quick",
	cpu: []int{16}, gpu: []int{16, 64, 256, 1024},
	time: 2 * time.Second,
	match: publicChanceMatch{
		gpu: []mccfr.Method{{Sampling: mccfr.Public, Batch: 64, Linear: true},
			{Sampling: mccfr.Public, Batch: 64}},
		cpu: []mccfr.Method{{Sampling: mccfr.External, Batch: 1000},
			{Sampling: mccfr.External, Batch: 1000, Linear: true}},
		times:    []time.Duration{20 * time.Second},
		boards:   4000,
		response: 20_000,
	},
}

// layout lays the game out.
func (w publicChanceWork) layout() (*mccfr.Game, error) {
	rules, err := configs.Game(w.game)
	if err != nil {
		return nil, err
	}
	spec := policy.GameSpec{Game: rules, Cards: w.cards}
	buckets, err := cfr.OpenSampled(spec, 32, memory.Available(), func(float64) {})
	if err != nil {
		return nil, err
	}
	return mccfr.NewGame(rules, betting.Actions{}, buckets)
}

func (w publicChanceWork) onCPU(ctx context.Context, emit func(Row)) error {
	game, err := w.layout()
	if err != nil {
		return err
	}
	for _, batch := range w.cpu {
		m := mccfr.Method{Sampling: mccfr.Public, Batch: batch}
		if err := w.measure(ctx, game, m, mccfr.NewSampler(game, m, 1, runtime.NumCPU()), emit); err != nil {
			return err
		}
	}
	return nil
}

func (w publicChanceWork) onGPU(ctx context.Context, d *cudalib.Device, emit func(Row)) error {
	game, err := w.layout()
	if err != nil {
		return err
	}
	for _, batch := range w.gpu {
		m := mccfr.Method{Sampling: mccfr.Public, Batch: batch}
		t, err := mccfr.NewPublicChanceGPU(d, game, m, 1, runtime.NumCPU())
		if err != nil {
			return err
		}
		err = w.measure(ctx, game, m, t, emit)
		memory := float64(t.Bytes()) / (1 << 20)
		if err := errors.Join(err, t.Err(), t.Close()); err != nil {
			return err
		}
		emit(Row{Case: publicChanceCase(game, m), Threads: runtime.NumCPU(), Metric: "memory",
			Value: memory, Unit: "MiB"})
	}
	return w.match.run(ctx, d, game, emit)
}

func publicChanceCase(game *mccfr.Game, m mccfr.Method) string {
	return fmt.Sprintf("%s, %s cards, %s", game.Rules.Name, game.Buckets.Name(), m)
}

// measure measures the boards a second, each traversed for both players, after a
// first batch.
func (w publicChanceWork) measure(
	ctx context.Context, game *mccfr.Game, m mccfr.Method, t train.Learner, emit func(Row),
) error {
	t.Step()
	first, start := t.Iterations(), time.Now()
	for t.Iterations() == first || time.Since(start) < w.time && ctx.Err() == nil {
		before := t.Iterations()
		if t.Step(); t.Iterations() == before {
			break // a device that failed
		}
	}
	speed := float64(t.Iterations()-first) / time.Since(start).Seconds()
	emit(Row{Case: publicChanceCase(game, m), Threads: runtime.NumCPU(), Metric: "speed",
		Value: speed, Unit: "boards/s"})
	return context.Cause(ctx)
}
