package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"gamebots/bots/arena/store"
	"gamebots/bots/arena/tournament"
	"gamebots/bots/grid"
	"gamebots/bots/registry"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
)

// benchArena measures a run with results on disk. Strategies are trained before the clock starts.
func benchArena(ctx context.Context, emit func(Row)) {
	settings := configs.DefaultArena()
	settings.Run = configs.Run{Name: "bench", Game: "holdem-limit-2p", Format: configs.OneMatch}
	settings.Poker.Deals = 500_000
	for _, iterations := range []uint64{300_000, 200_000} {
		settings.Players = append(settings.Players, configs.Entry{Name: fmt.Sprint("s", iterations), Kind: "trained",
			Algorithm: "external", Iterations: iterations, Cards: "quick", Seed: iterations})
	}
	const threads = 2
	speed := timeRun(ctx, &settings, threads)
	emitAll(emit, Row{Case: "holdem-limit-2p, two strategies", Threads: threads}, figure{"speed", speed, "hands/s"})
}

// timeRun plays a run with a database of its own and returns the games per second, after
// the first tenth of the run.
func timeRun(ctx context.Context, settings *configs.Arena, threads int) (speed float64) {
	folder := must(os.MkdirTemp("", "gamebots-bench-"))
	defer os.RemoveAll(folder)
	players := registry.NewPlayers(nil)
	defer players.Close()
	plan := must(players.Plan(settings))
	db := must(store.Open(ctx, filepath.Join(folder, "arena.db")))
	defer db.Close()
	run := must(db.Begin(ctx, plan, cli.Build(), false))
	var start time.Time
	begun, played := 0, 0
	t := tournament.Tournament{Store: db, Run: run, Grid: &grid.Local{Kinds: players.Kinds(), Threads: threads}}
	t.OnProgress = func(p *tournament.Progress) {
		played = p.Fresh
		if start.IsZero() && p.Games >= p.Total/10 {
			start, begun = time.Now(), p.Fresh
		}
	}
	check(t.Play(ctx))
	if start.IsZero() {
		check(fmt.Errorf("no games of %s were played", plan.Game))
	}
	return float64(played-begun) / time.Since(start).Seconds()
}
