package main

import (
	"cmp"
	"errors"

	"gamebots/bots/arena/store"
	"gamebots/bots/arena/tournament"
	"gamebots/bots/grid"
	"gamebots/configs"
	"gamebots/internal/chart"
	"gamebots/internal/progress"
	"gamebots/internal/usererr"
	"gamebots/internal/version"

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
	cmd := &cobra.Command{
		Use:   "run CONFIG.toml",
		Short: "Play a match or a tournament",
		Long: `run plays what a file of settings says, which configs/arena.toml explains.

Of poker every deal is played in all orders of the seats, of board games every
opening twice. Results are in mb a hand (thousandths of the largest blind or
ante) or points a game, with 95% intervals in which a deal or an opening is one
observation.

Results are stored in a database as they come. A run that was stopped, or
killed, goes on with --resume, and comes to the results that it would have come
to undisturbed. What could not be played is said at the end, and tried again
with --resume.

With --nats other machines that run gamebots work help, see docs/grid.md.`,
		Example: `  gamebots arena run configs/arena.toml --plot five.png
  gamebots arena run configs/arena.toml --resume
  gamebots arena run configs/arena.toml --nats embedded
  gamebots arena run havannah.toml --set run.name=second --set run.seed=2 --json`,
		Args: usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := chart.Drawable("--plot", f.plot); err != nil {
				return err
			}
			return runArena(cmd, args[0], f)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.set, "set", nil, "set one key of the settings by `KEY=VALUE`, as in run.seed=7 or player[2].seed=3 (may be repeated)")
	flags.StringVar(&f.database, "database", f.database, "where runs are kept")
	flags.BoolVar(&f.resume, "resume", false, "go on with the run where it is")
	addThreads(flags, &f.threads, "shards at a time")
	flags.StringVar(&f.plot, "plot", "", "draw winnings and ranking into this .png or .svg file")
	f.grid.add(flags)
	flags.BoolVar(&f.asJSON, "json", false, "print the result as JSON")
	return cmd
}

func runArena(cmd *cobra.Command, file string, f arenaFlags) error {
	settings := configs.DefaultArena()
	err := configs.Load(file, &settings, f.set)
	if e := (*configs.Error)(nil); errors.As(err, &e) && e.File == configs.CommandLine {
		err = usererr.Usage(err)
	}
	if err != nil {
		return err
	}
	defer arenaPlayers().Close()
	plan, err := arenaPlayers().Plan(&settings)
	if e := (*configs.Error)(nil); errors.As(err, &e) {
		e.File = cmp.Or(e.File, file)
	}
	if err != nil {
		return err
	}
	ctx, log := cmd.Context(), zerolog.Ctx(cmd.Context())
	if f.grid.nats == "" { // else other machines may have what this one has not
		if err := arenaPlayers().Ready(ctx, plan); err != nil {
			return err
		}
	}
	db, err := store.Open(ctx, f.database)
	if err != nil {
		return err
	}
	defer db.Close()
	run, err := db.Begin(ctx, plan, version.Build(), f.resume)
	if err != nil {
		return err
	}
	if run.Version != version.Build() {
		log.Warn().Str("begun_by", run.Version).Str("version", version.Build()).Msg("the run was begun by another build, whose players may play otherwise")
	}
	log.Info().Str("run", plan.Name).Str("game", plan.Game).Int("players", len(plan.Players)).Int("tables", len(plan.Tables)).
		Int("games", plan.Games()*len(plan.Tables)).Int("shards", plan.Shards()).Int("stored", run.Stored).Msg("playing")

	jobs, end, err := f.grid.open(ctx, f.threads)
	if err != nil {
		return err
	}
	var bar *progress.Count
	var latest tournament.Progress
	t := &tournament.Tournament{Store: db, Run: run, Grid: jobs, Ship: f.grid.nats != ""}
	t.OnProgress = func(p *tournament.Progress) {
		if bar == nil {
			bar = newCountBar(cmd.ErrOrStderr(), log, plan.Name, uint64(p.Total-p.Games))
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
	err = errors.Join(reportRun(cmd, db, run, f.asJSON), resumable(err))
	if err != nil || f.plot == "" {
		return err
	}
	return plotRun(ctx, db, run, f.plot)
}

// resumable adds what can be done to the error that ended a run.
func resumable(err error) error {
	if dead := (*grid.FailedJobsError)(nil); errors.As(err, &dead) {
		return usererr.WithHint(err, "all that could be played is kept; --resume tries what is missing again")
	}
	if err == nil || usererr.Hint(err) != "" {
		return err
	}
	return usererr.WithHint(err, "what was played is kept; --resume goes on")
}
