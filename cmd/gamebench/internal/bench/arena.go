package bench

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

// arenaRun is a run of the arena to measure.
type arenaRun struct {
	name, game string
	deals      uint64
	players    []configs.Entry
}

// benchArena measures runs of the arena that store their results in a database on disk.
// Strategies are trained before the clock starts.
func benchArena(ctx context.Context, emit func(Row)) error {
	trained := func(name string, iterations uint64, algorithm, cards string) configs.Entry {
		return configs.Entry{Name: name, Kind: "trained", Algorithm: algorithm, Iterations: iterations,
			Cards: cards, Seed: iterations}
	}
	for _, c := range []arenaRun{
		{name: "two strategies", game: "holdem-limit-2p", deals: 500_000,
			players: []configs.Entry{trained("a", 300_000, "external", "quick"),
				trained("b", 200_000, "external", "quick")}},
		{name: "two strategies", game: "leduc", deals: 500_000,
			players: []configs.Entry{trained("a", 1000, "cfr+", "lossless"), trained("b", 100, "cfr+", "lossless")}},
		{name: "random", game: "holdem-limit-3p", deals: 50_000,
			players: []configs.Entry{{Name: "a", Kind: "random"}, {Name: "b", Kind: "random"},
				{Name: "c", Kind: "random"}}},
	} {
		for _, threads := range []int{1, 2} {
			settings := configs.DefaultArena()
			settings.Run = configs.Run{Name: "bench", Game: c.game, Format: configs.OneMatch}
			settings.Players, settings.Poker.Deals = c.players, c.deals
			speed, err := timeRun(ctx, &settings, threads)
			if err != nil {
				return err
			}
			emit(Row{Case: c.game + ", " + c.name, Threads: threads, Metric: "speed", Value: speed, Unit: "hands/s"})
		}
	}
	return nil
}

// timeRun plays a run with a database of its own and returns the games per second, after
// the first tenth of the run.
func timeRun(ctx context.Context, settings *configs.Arena, threads int) (speed float64, err error) {
	folder, err := os.MkdirTemp("", "gamebots-bench-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	players := registry.NewPlayers(nil)
	defer players.Close()
	plan, err := players.Plan(settings)
	if err != nil {
		return 0, err
	}
	db, err := store.Open(ctx, filepath.Join(folder, "arena.db"))
	if err != nil {
		return 0, err
	}
	defer db.Close()
	run, err := db.Begin(ctx, plan, cli.Build(), false)
	if err != nil {
		return 0, err
	}
	var start time.Time
	begun, played := 0, 0
	t := tournament.Tournament{Store: db, Run: run, Grid: &grid.Local{Kinds: players.Kinds(), Threads: threads}}
	t.OnProgress = func(p *tournament.Progress) {
		played = p.Fresh
		if start.IsZero() && p.Games >= p.Total/10 {
			start, begun = time.Now(), p.Fresh
		}
	}
	if err := t.Play(ctx); err != nil {
		return 0, err
	}
	if start.IsZero() {
		return 0, fmt.Errorf("no games of %s were played", plan.Game)
	}
	return float64(played-begun) / time.Since(start).Seconds(), nil
}
