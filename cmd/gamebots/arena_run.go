package main

import (
	"errors"

	"gamebots/acpc/money"
	"gamebots/bots/arena"
	"gamebots/bots/arena/store"
	"gamebots/bots/arena/tournament"
	"gamebots/bots/grid"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/internal/chart"
	"gamebots/internal/progress"
	"gamebots/internal/usererr"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// arenaFlags are those of arena run.
type arenaFlags struct {
	set      []string
	database string
	resume   bool
	threads  int
	plot     string
	grid     gridFlags
	asJSON   bool
}

func newArenaRun() *cobra.Command {
	f := arenaFlags{database: arenaDatabase}
	cmd := command("arena_run", "run CONFIG.toml", "Play a match or a tournament", cli.Arguments(1, 1))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := chart.Drawable("--plot", f.plot); err != nil {
			return err
		}
		return runArena(cmd, args[0], f)
	}
	flags := cmd.Flags()
	cli.AddSet(flags, &f.set, "run.seed=7 or player[2].seed=3")
	f.grid.Add(flags)
	cli.Bind(cmd, "database", &f.database, "resume", &f.resume, "threads", cli.PerProcessor(&f.threads),
		"plot", &f.plot, "json", &f.asJSON)
	return cmd
}

func runArena(cmd *cobra.Command, file string, f arenaFlags) error {
	defer arenaPlayers().Close()
	settings := configs.DefaultArena()
	var plan *arena.Plan
	err := cli.Load(file, &settings, f.set, func() (err error) {
		plan, err = arenaPlayers().Plan(&settings)
		return err
	})
	if err != nil {
		return err
	}
	if err := arenaPlayers().Trust(plan); err != nil {
		return err
	}
	ctx, log := cmd.Context(), zerolog.Ctx(cmd.Context())
	if f.grid.NATS == "" { // with --nats, other machines may have files that this one lacks
		if err := arenaPlayers().Ready(ctx, plan); err != nil {
			return err
		}
	}
	db, err := store.Open(ctx, f.database)
	if err != nil {
		return err
	}
	defer db.Close()
	run, err := db.Begin(ctx, plan, cli.Build(), f.resume)
	if err != nil {
		return err
	}
	if run.Version != cli.Build() {
		log.Warn().Str("begun_by", run.Version).Str("version", cli.Build()).
			Msg("the run was begun by another build, whose players may play differently")
	}
	log.Info().Str("run", plan.Name).Str("game", plan.Game).Int("players", len(plan.Players)).
		Int("tables", len(plan.Tables)).
		Int("games", plan.Games()*len(plan.Tables)).Int("shards", plan.Shards()).
		Int("stored", run.Stored).Msg("playing")

	jobs, end, err := f.grid.Open(ctx, f.threads)
	if err != nil {
		return err
	}
	var bar *progress.Count
	var latest tournament.Progress
	t := &tournament.Tournament{Store: db, Run: run, Grid: jobs, Ship: f.grid.NATS != ""}
	t.OnProgress = func(p *tournament.Progress) {
		if bar == nil {
			bar = cli.NewCountBar(cmd.ErrOrStderr(), log, plan.Name, uint64(p.Total-p.Games))
		}
		latest = *p
		bar.Total = uint64(p.Total - p.Games + p.Fresh) // less when a table stops
		bar.Update(uint64(p.Fresh))
	}
	err = errors.Join(t.Play(ctx), end())
	if bar != nil {
		bar.Close()
	}
	if err != nil && latest.Stored == 0 {
		return resumable(err)
	}
	err = errors.Join(reportRun(cmd, db, run, f.asJSON, money.Usual), resumable(err))
	if err != nil || f.plot == "" {
		return err
	}
	return drawRun(ctx, db, run, f.plot)
}

// resumable adds advice about --resume to the error that ended a run.
func resumable(err error) error {
	if dead := (*grid.FailedJobsError)(nil); errors.As(err, &dead) {
		return usererr.WithHint(err, "all other shards are stored; --resume tries the failed ones again")
	}
	if err == nil || usererr.Hint(err) != "" {
		return err
	}
	return usererr.WithHint(err, "results so far are stored; --resume continues the run")
}
