package bench

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"gamebots/bots/arena"
	"gamebots/bots/poker"
	"gamebots/configs"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

// The training takes about two minutes on one core of 2.5 GHz.
const (
	ehsGame       = "holdem-limit-2p"
	ehsIterations = 10_000_000
	ehsHands      = 100_000
)

// benchEHS trains hold'em with the card abstraction "quick" (expected hand strength),
// and plays the strategy in process against simple opponents: duplicate hands, each deal from both seats,
// first the strategy as it is and then purified.
func benchEHS(ctx context.Context, emit func(Row)) error {
	game, err := configs.Game(ehsGame)
	if err != nil {
		return err
	}
	a, err := train.Open(train.Spec{GameSpec: policy.GameSpec{Game: game, Cards: "quick"}},
		train.Options{Threads: runtime.NumCPU()})
	if err != nil {
		return err
	}
	start := time.Now()
	for a.Iterations() < ehsIterations && ctx.Err() == nil {
		a.Step()
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	name := ehsGame + ", " + a.Cards + ", external"
	mb := 1000 / float64(game.MaxBlind())
	speed := ehsIterations / time.Since(start).Seconds()
	r, err := a.Respond(ctx, nil)
	if err != nil {
		return err
	}
	for _, figure := range []Row{
		{Case: name, Threads: runtime.NumCPU(), Metric: "speed", Value: speed, Unit: "iterations/s"},
		{Case: name, Threads: 1, Metric: "memory", Value: float64(a.Bytes), Unit: "bytes"},
		{Case: name, Threads: runtime.NumCPU(), Metric: "response", Value: mb * r.Value, Unit: "mb a hand"},
		{Case: name, Threads: runtime.NumCPU(), Metric: "response ±95%", Value: mb * r.Interval, Unit: "mb a hand"},
	} {
		emit(figure)
	}

	folder, err := os.MkdirTemp("", "gamebots-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "quick.strategy")
	if err := a.Save(file, strategy.Meta{}); err != nil {
		return err
	}
	p, err := policy.Open(file, memory.Available(), nil)
	if err != nil {
		return err
	}
	defer p.Close()
	for _, kind := range []string{"call", "raise", "random"} {
		for _, purify := range []bool{false, true} {
			opponent, err := poker.NewOpponent(kind, 1)
			if err != nil {
				return err
			}
			player := poker.NewStrategy(p, poker.Style{Purify: purify}, 1)
			match := arena.InProcessMatch{Game: game, Hands: ehsHands, Seed: 1, A: player, B: opponent}
			won, err := match.Play(ctx)
			if err != nil {
				return err
			}
			against := name + " against " + kind
			if purify {
				against = name + " purified against " + kind
			}
			for _, figure := range []Row{
				{Case: against, Threads: 1, Metric: "won", Value: mb * won.Mean(), Unit: "mb a hand"},
				{Case: against, Threads: 1, Metric: "won ±95%", Value: mb * won.Interval95(), Unit: "mb a hand"},
			} {
				emit(figure)
			}
		}
	}
	return nil
}
