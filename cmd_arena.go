package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"gamebots/acpc"
	"gamebots/bots/arena/plan"
	"gamebots/bots/arena/store"
	"gamebots/bots/arena/tournament"
	"gamebots/configs"
	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/solvers/cfr"
	"gamebots/solvers/strategy"
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
				return hinted{err, hint}
			}
		}
		if errors.Is(err, fs.ErrNotExist) {
			return hinted{err, "gamebots arena run makes one; " + flag + " names another"}
		}
	}
	return err
}

// arenaDatabase is where runs are kept when nobody says.
const arenaDatabase = "arena.db"

// house is that of this process: jobs of one run come one by one.
var house = sync.OnceValue(newHouse)

// newHouse returns what the arena has to play with.
func newHouse() *tournament.House {
	return &tournament.House{
		Rules:    boardRules,
		Bot:      func(e configs.Engine) (hexproto.Bot, error) { return boardBot(e) },
		Referees: map[string]tournament.Referee{boards.HavannahName: boards.Havannah{}.Judge},
		Train:    trainEntry,
		Memory:   availableMemory,
	}
}

// trainEntry trains a player of a tournament for a number of iterations.
func trainEntry(ctx context.Context, game *acpc.Game, e configs.Entry, file string) error {
	actions, err := trainFlags{actions: e.Actions}.betting(game)
	if err != nil {
		return err
	}
	terms := cfr.Terms{Game: game, Cards: e.Cards, Actions: actions}
	a, err := newTrainee(e.Algorithm, terms, e.Seed, 1, availableMemory(), nil)
	if err != nil {
		return err
	}
	log, next := zerolog.Ctx(ctx), time.Now().Add(time.Second) // what takes less needs no words
	for a.Iterations() < e.Iterations {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		a.Step()
		if now := time.Now(); now.After(next) {
			next = now.Add(10 * time.Second)
			log.Info().Str("player", e.Name).Str("done", fmt.Sprintf("%.0f%%", 100*float64(a.Iterations())/float64(e.Iterations))).Msg("training")
		}
	}
	return a.Save(file, strategy.Meta{Seed: e.Seed, Iterations: a.Iterations()})
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
