package bench

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"gamebots/configs"
	"gamebots/cudalib"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/cfrbr"
	"gamebots/solvers/policy"
)

// cfrbrWork is the work of gamebench cfr-br: training by CFR-BR with sampled boards.
type cfrbrWork struct {
	game    string
	buckets arbitrary
	time    time.Duration // least time of training
}

var fullCFRBR = cfrbrWork{game: "holdem-limit-2p", buckets: arbitrary{169, 9000, 9000, 9000}, time: 4 * time.Second}

func (w cfrbrWork) onCPU(ctx context.Context, emit func(Row)) error {
	return w.measure(ctx, emit, (*cfrbr.Game).Bytes, func(g *cfrbr.Game) (*cfrbr.Trainer, error) {
		return cfrbr.NewTrainer(g, 1, runtime.NumCPU()), nil
	})
}

func (w cfrbrWork) onGPU(ctx context.Context, d *cudalib.Device, emit func(Row)) error {
	return w.measure(ctx, emit, (*cfrbr.Game).DeviceBytes, func(g *cfrbr.Game) (*cfrbr.Trainer, error) {
		return cfrbr.NewDeviceTrainer([]*cudalib.Device{d}, g, 1, runtime.NumCPU())
	})
}

// measure measures the iterations a second, each of both players, after two of them.
func (w cfrbrWork) measure(
	ctx context.Context, emit func(Row), bytes func(*cfrbr.Game) int64, open func(*cfrbr.Game) (*cfrbr.Trainer, error),
) error {
	rules, err := configs.Game(w.game)
	if err != nil {
		return err
	}
	g, err := cfrbr.New(policy.NewIndex(betting.NewTree(rules, betting.Actions{}.ShapeOf(rules, 1<<20)), w.buckets))
	if err != nil {
		return err
	}
	t, err := open(g)
	if err != nil {
		return err
	}
	speed, err := trainingSpeed(ctx, t, w.time)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("%s, buckets %v, %s", w.game, []int(w.buckets), cfrbr.Name)
	emit(Row{Case: name, Threads: runtime.NumCPU(), Metric: "speed", Value: speed, Unit: "iterations/s"})
	emit(
		Row{Case: name, Threads: runtime.NumCPU(), Metric: "memory", Value: float64(bytes(g)) / (1 << 20), Unit: "MiB"})
	return nil
}
