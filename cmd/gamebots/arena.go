package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"gamebots/bots/arena/plan"
	"gamebots/bots/arena/serverbot"
	"gamebots/bots/arena/store"
	"gamebots/bots/arena/tournament"
	"gamebots/bots/registry"
	"gamebots/hexproto"
	"gamebots/hexproto/game"
	"gamebots/internal/usererr"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

func newArena() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "arena",
		Short: "Play matches and tournaments of bots, and rank them",
		Long: `arena plays matches and tournaments of poker and of board games, on one machine
or many, and stores every hand and game in a database.

More: docs/arena.md`,
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

// hintDatabase adds advice that names flags to an error of an arena's database. Flag is
// the one that names the file.
func hintDatabase(err error, flag string) error {
	advice := map[error]string{
		store.ErrRunExists: "continue it with --resume, or start another with a new name or " + flag,
		store.ErrNotArena:  flag + " names the file with the runs",
		store.ErrDiskFull:  "the disk is full; stored results are safe: make room and run the same command with --resume",
		store.ErrDisk:      "the disk failed, or is full; stored results are safe: run the same command with --resume when it works again",
		store.ErrDamaged:   "the file is damaged, or not of an arena; save a copy and try \"sqlite3 FILE .recover\", or give another " + flag,
	}
	if errors.As(err, new(*store.Error)) {
		for cause, hint := range advice {
			if errors.Is(err, cause) {
				return usererr.WithHint(err, hint)
			}
		}
		if errors.Is(err, fs.ErrNotExist) {
			return usererr.WithHint(err, "gamebots arena run creates it; "+flag+" names another file")
		}
	}
	return err
}

// arenaDatabase is the default path of the database of runs.
const arenaDatabase = "arena.db"

// arenaPlayers are the players of this process. Its jobs share their open sessions.
var arenaPlayers = sync.OnceValue(func() *tournament.Players {
	players := registry.NewPlayers(logTraining)
	players.ServerBot = func(name string, command []string, rules game.Rules) hexproto.Bot {
		return &serverbot.Bot{Name: name, Command: command, Rules: rules}
	}
	return players
})

// logTraining logs the training of a player.
func logTraining(ctx context.Context, player string, done float64) {
	zerolog.Ctx(ctx).Info().Str("player", player).Str("done", fmt.Sprintf("%.0f%%", 100*done)).Msg("training")
}

// viewRun opens a database for reading and returns the run that args name, by default
// the latest.
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
