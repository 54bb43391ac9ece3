package bench

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	"gamebots/configs"
	"gamebots/cudalib"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/cfrbr"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/policy"
)

// cfrbrWork is the work of gamebench cfr-br: training by CFR-BR with sampled boards.
type cfrbrWork struct {
	games []cfrbrGame
	time  time.Duration // least time of training
}

// cfrbrGame is a game with the raises of a shipped menu, or all of a limit game.
type cfrbrGame struct {
	game, menu string
	buckets    arbitrary
}

var fullCFRBR = cfrbrWork{time: 4 * time.Second, games: []cfrbrGame{
	{"holdem-limit-2p", "", arbitrary{169, 3000, 3000, 3000}},
	{"holdem-limit-2p", "", arbitrary{169, 9000, 9000, 9000}},
	{"holdem-nolimit-2p", "blueprint", arbitrary{169, 10000, 2000, 1250}},
}}

func (w cfrbrWork) onCPU(ctx context.Context, emit func(Row)) error {
	return w.measure(ctx, emit, (*cfrbr.Game).Bytes)
}

func (w cfrbrWork) onGPU(ctx context.Context, d *cudalib.Device, emit func(Row)) error {
	return w.measure(ctx, emit, (*cfrbr.Game).DeviceBytes, d)
}

// measure measures the iterations a second, each of both players, after two of them.
func (w cfrbrWork) measure(
	ctx context.Context, emit func(Row), bytes func(*cfrbr.Game) int64, on ...*cudalib.Device,
) error {
	for _, of := range w.games {
		g, err := of.layout()
		if err != nil {
			return err
		}
		t, err := cfrbr.NewDeviceTrainer(on, g, 1, runtime.NumCPU())
		if err != nil {
			return err
		}
		name := fmt.Sprintf("%s, buckets %v, %s", strings.TrimSpace(of.game+" "+of.menu), []int(of.buckets), cfrbr.Name)
		if err := emitTraining(ctx, emit, name, t, w.time, "iterations/s", bytes(g)); err != nil {
			return err
		}
	}
	return nil
}

func (of cfrbrGame) layout() (*cfrbr.Game, error) {
	rules := shipped(of.game)
	menu, err := configs.Actions(of.menu)
	if err != nil {
		return nil, err
	}
	actions, err := train.Actions(rules, menu)
	if err != nil {
		return nil, err
	}
	return cfrbr.New(policy.NewIndex(betting.NewTree(rules, actions.ShapeOf(rules, 1<<20)), of.buckets))
}
