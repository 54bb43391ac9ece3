package main

import (
	"errors"
	"io/fs"
	"strings"

	"gamebots/acpc/money"
	"gamebots/bots/arena"
	"gamebots/bots/arena/store"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
)

func newArena() *cobra.Command {
	cmd := group("arena", "Play matches and tournaments of bots, and rank them",
		newArenaRun(), newArenaStatus(), newArenaList(), newArenaExport(), newArenaRank(), newArenaPlot())
	for _, sub := range cmd.Commands() {
		run := sub.RunE
		sub.RunE = func(cmd *cobra.Command, args []string) error {
			return hintDatabase(run(cmd, args))
		}
	}
	return cmd
}

// hintDatabase adds advice that names flags to an error of an arena's database.
func hintDatabase(err error) error {
	switch {
	case !errors.As(err, new(*store.Error)):
	case errors.Is(err, store.ErrRunExists):
		return usererr.WithHint(err, "continue it with --resume, or start another with a new name or --database")
	case errors.Is(err, store.ErrNotArena):
		return usererr.WithHint(err, "--database names the file with the runs")
	case errors.Is(err, fs.ErrNotExist):
		return usererr.WithHint(err, "gamebots arena run creates it; --database names another file")
	}
	return err
}

// arenaDatabase is the default path of the database of runs.
const arenaDatabase = "arena.db"

// formatOf returns how the winnings of a run are written. A unit is for the tables of poker.
func formatOf(p *arena.Plan, unit money.Unit, asJSON bool) (money.Format, error) {
	switch {
	case unit != money.Usual && p.Kind == arena.Board:
		return money.Format{}, usererr.Usagef("--unit: run %s is of a board game", p.Name)
	case unit != money.Usual && asJSON:
		return money.Format{}, usererr.Usagef("--unit and --json cannot be combined: JSON is in mb a hand")
	case p.Kind == arena.Board:
		return money.Format{}, nil
	}
	game, err := p.Acpc()
	if err != nil {
		return money.Format{}, err
	}
	f, err := unit.In(game)
	if err != nil {
		err = usererr.Usage(err)
	}
	return f, err
}

// onRun returns a command that reads a run of a database, by default the latest one.
func onRun(
	use, short, help string, read func(cmd *cobra.Command, db *store.Store, run *arena.Run) error,
) *cobra.Command {
	database := arenaDatabase
	cmd := command(help, use, short, cli.Arguments(0, 1))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		db, err := store.OpenReadOnly(cmd.Context(), database)
		if err != nil {
			return err
		}
		defer db.Close()
		run, err := db.Run(cmd.Context(), strings.Join(args, "")) // there is one at most
		if err != nil {
			return err
		}
		return read(cmd, db, run)
	}
	cmd.Flags().StringVar(&database, "database", database, "file with the runs")
	return cmd
}
