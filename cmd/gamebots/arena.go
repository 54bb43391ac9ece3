package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"gamebots/bots/arena/plan"
	"gamebots/bots/arena/store"
	"gamebots/bots/arena/tournament"
	"gamebots/bots/registry"
	"gamebots/internal/usererr"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

func newArena() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "arena",
		Short: "Play matches and tournaments, and say what they mean",
		Long: `arena plays matches and tournaments of poker and of board games, on this machine
or many, and keeps every hand and game in a database
(see docs/arena.md).`,
		Example: `  gamebots arena run configs/arena.toml
  gamebots arena status
  gamebots arena list`,
	}
	leadsTo(cmd, newArenaRun(), newArenaStatus(), newArenaList(), newArenaExport(), newArenaRank(), newArenaPlot())
	for _, sub := range cmd.Commands() {
		run := sub.RunE
		sub.RunE = func(cmd *cobra.Command, args []string) error {
			return hintDatabase(run(cmd, args), "--database")
		}
	}
	return cmd
}

// hintDatabase adds the advice that names flags to an error of an arena's database,
// whose file flag names.
func hintDatabase(err error, flag string) error {
	advice := map[error]string{
		store.ErrRunExists: "--resume goes on with it; another name or " + flag + " begins anew",
		store.ErrNotArena:  flag + " names the file that the runs are kept in",
		store.ErrDiskFull:  "the disk is full; what was stored is safe: make room and run the same command with --resume",
		store.ErrDisk:      "the disk failed, or is full; what was stored is safe: run the same command with --resume when it works again",
		store.ErrDamaged:   "the file is damaged; save a copy and try \"sqlite3 FILE .recover\", or give another " + flag,
	}
	if errors.As(err, new(*store.Error)) {
		for cause, hint := range advice {
			if errors.Is(err, cause) {
				return usererr.WithHint(err, hint)
			}
		}
		if errors.Is(err, fs.ErrNotExist) {
			return usererr.WithHint(err, "gamebots arena run makes one; "+flag+" names another")
		}
	}
	return err
}

// arenaDatabase is the default path of the database of runs.
const arenaDatabase = "arena.db"

// arenaPlayers are those of this process: its jobs share open sessions.
var arenaPlayers = sync.OnceValue(func() *tournament.Players { return registry.NewPlayers(logTraining) })

// logTraining logs the training of a player.
func logTraining(ctx context.Context, player string, done float64) {
	zerolog.Ctx(ctx).Info().Str("player", player).Str("done", fmt.Sprintf("%.0f%%", 100*done)).Msg("training")
}

// viewRun opens a database for reading, and the run of a name, or the latest.
func viewRun(ctx context.Context, database string, args []string) (*store.Store, *plan.Run, error) {
	name := ""
	if len(args) > 0 {
		name = args[0]
	}
	db, err := store.OpenReadOnly(ctx, database)
	if err != nil {
		return nil, nil, err
	}
	run, err := db.Run(ctx, name)
	if err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	return db, run, nil
}
