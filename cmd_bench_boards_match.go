package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"gamebots/acpc"
	"gamebots/bots/arena"
	"gamebots/bots/poker"
	"gamebots/cudalib"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/strategy"
)

// boardsMatch is the match of benchBoardsGPU between public chance sampling on the
// GPU and external sampling on the CPU, after the same time for both.
var boardsMatch = struct {
	gpu, cpu mccfr.Method
	times    []time.Duration // of training
	deals    uint32          // for each processor
	response int             // iterations by which a response to each is learned
}{
	mccfr.Method{Sampling: mccfr.Public, Batch: 64}, mccfr.Method{Sampling: mccfr.External, Batch: 1000},
	[]time.Duration{20 * time.Second}, 20_000, 1_000_000,
}

// boardsPlayer is what plays the match: a training that goes on between times.
type boardsPlayer struct {
	name    string
	learner interface {
		cfr.Learner
		Save(path string, m strategy.Meta) error
		Respond(iterations int, seed uint64) *mccfr.Response
	}
	trained time.Duration
}

// train goes on, a step at least, until the training has taken so long in all.
func (p *boardsPlayer) train(ctx context.Context, until time.Duration) {
	start, before := time.Now(), p.trained
	for once := true; once || p.trained < until && ctx.Err() == nil; once = false {
		p.learner.Step()
		p.trained = before + time.Since(start)
	}
}

func benchBoardsMatch(ctx context.Context, d *cudalib.Device, game *mccfr.Game, emit func(row) error) error {
	gpu, err := mccfr.NewDeviceBoards(d, game, boardsMatch.gpu.Batch, 1, runtime.NumCPU())
	if err != nil {
		return err
	}
	players := []*boardsPlayer{
		{name: boardsMatch.gpu.String() + " on the GPU", learner: gpu},
		{name: boardsMatch.cpu.String() + " on the CPU", learner: mccfr.NewSampler(game, boardsMatch.cpu, 1, runtime.NumCPU())},
	}
	for _, until := range boardsMatch.times {
		for _, p := range players {
			p.train(ctx, until)
		}
		if err := errors.Join(context.Cause(ctx), gpu.Err()); err != nil {
			return errors.Join(err, gpu.Close())
		}
		if err := playBoards(ctx, game.Rules, players, emit); err != nil {
			return errors.Join(err, gpu.Close())
		}
	}
	return gpu.Close()
}

// playBoards plays the match, and learns a response to both players.
func playBoards(ctx context.Context, rules *acpc.Game, players []*boardsPlayer, emit func(row) error) error {
	folder, err := os.MkdirTemp("", "gamebots-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	name := fmt.Sprintf("%s, after %v", rules.Name, players[0].trained.Round(time.Second))
	mb := 1000 / float64(rules.MaxBlind())
	var policies []*cfr.Policy
	responses := make([]*mccfr.Response, len(players))
	var learning sync.WaitGroup
	for i, p := range players {
		file := filepath.Join(folder, fmt.Sprint(i))
		if err := p.learner.Save(file, strategy.Meta{}); err != nil {
			return err
		}
		policy, err := cfr.OpenPolicy(file, availableMemory(), nil)
		if err != nil {
			return err
		}
		defer policy.Close()
		policies = append(policies, policy)
		learning.Go(func() { responses[i] = p.learner.Respond(boardsMatch.response, 2) })
	}
	learning.Wait()
	won, err := playBouts(ctx, rules, policies)
	if err != nil {
		return err
	}
	figure := func(metric string, value float64, unit string) error {
		return emit(row{Case: name, Threads: runtime.NumCPU(), Metric: metric, Value: value, Unit: unit})
	}
	for i, p := range players {
		value, interval := responses[i].Value(responseDeals, 1)
		if err := errors.Join(
			figure(p.name, float64(p.learner.Iterations()), "iterations"),
			figure("response to "+p.name, mb*value, "mb a hand"),
			figure("response to "+p.name+" ±95%", mb*interval, "mb a hand")); err != nil {
			return err
		}
	}
	return errors.Join(figure("won by the GPU", mb*won.Mean(), "mb a hand"), figure("won by the GPU ±95%", mb*won.Interval95(), "mb a hand"))
}

// playBouts plays a bout on each processor.
func playBouts(ctx context.Context, rules *acpc.Game, policies []*cfr.Policy) (won arena.Tally, err error) {
	bouts := make([]arena.Tally, runtime.NumCPU())
	errs := make([]error, len(bouts))
	var playing sync.WaitGroup
	for k := range bouts {
		playing.Go(func() {
			var seats [2]*poker.Strategy
			for i := range seats {
				seats[i] = poker.NewStrategy(policies[i], poker.Style{}, uint64(2*k+i))
			}
			bout := arena.Bout{Game: rules, Hands: boardsMatch.deals, Seed: uint32(k + 1), A: seats[0], B: seats[1]}
			bouts[k], errs[k] = bout.Play(ctx)
		})
	}
	playing.Wait()
	for _, bout := range bouts {
		won.Join(bout)
	}
	return won, errors.Join(errs...)
}
