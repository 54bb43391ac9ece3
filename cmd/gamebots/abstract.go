package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gamebots/acpc"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/abstraction/buckets"
	"gamebots/solvers/cfr/abstraction/buckets/cluster"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// abstractFlags are the flags of abstract.
type abstractFlags struct {
	recipe  string
	csv     string
	set     []string
	output  string
	threads int
	device  cudalib.Choice
	memory  cli.Bytes
	fresh   bool
	force   bool
}

func newAbstract() *cobra.Command {
	var f abstractFlags
	cmd := command("abstract", "abstract GAME",
		"Group the hands of a poker game into buckets, for training", cli.Arguments(1, 1),
		"RECIPES", cli.Wrap(strings.Join(configs.Abstractions(), ", ")+".", ""))
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return runAbstract(cmd, args[0], f) }
	cli.Bind(cmd, "recipe", &f.recipe, "csv", &f.csv, "set", &f.set, "output", &f.output,
		"threads", cli.PerProcessor(&f.threads), "device", &f.device, "memory", &f.memory, "fresh", &f.fresh,
		"force", &f.force)
	return cmd
}

func runAbstract(cmd *cobra.Command, gameName string, f abstractFlags) error {
	if (f.recipe == "") == (f.csv == "") {
		return usererr.WithHint(usererr.Usagef("give one of --recipe and --csv"),
			"the shipped recipes are "+strings.Join(configs.Abstractions(), ", "))
	}
	if f.csv != "" {
		for _, name := range []string{"set", "threads", "device", "memory", "fresh"} {
			if cmd.Flags().Changed(name) {
				return usererr.Usagef("--%s has no effect with --csv", name)
			}
		}
	}
	game, err := configs.Game(gameName)
	if err != nil {
		return err
	}
	name, recipe, err := f.source()
	if err != nil {
		return err
	}
	f.output = cmp.Or(f.output, name+".buckets")
	if !buckets.IsFile(f.output) {
		return usererr.Usagef("-o: %s does not end in .buckets, by which train recognises a file", f.output)
	}
	if err := cli.Replaceable(f.output, "-o FILE", f.force); err != nil {
		return err
	}
	release, err := cli.Hold(f.output, "-o")
	if err != nil {
		return err
	}
	defer release()
	start := time.Now()
	var table *buckets.Table
	if f.csv != "" {
		if table, err = f.read(name, game); err == nil {
			err = table.Write(f.output)
		}
	} else {
		table, err = f.make(cmd, game, recipe)
	}
	if err != nil {
		return err
	}
	err = table.WriteText(cmd.OutOrStdout(), f.output, game, time.Since(start))
	return cli.Next(cmd, err, "train", gameName, "--abstraction", f.output)
}

// source returns the name of the recipe or the table, and the recipe.
func (f *abstractFlags) source() (name string, r buckets.Recipe, err error) {
	if f.csv != "" {
		return strings.TrimSuffix(filepath.Base(f.csv), filepath.Ext(f.csv)), r, nil
	}
	r, err = f.load()
	return r.Name, r, err
}

// read reads a table.
func (f *abstractFlags) read(name string, game *acpc.Game) (*buckets.Table, error) {
	in, err := os.Open(f.csv)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	table, err := buckets.ReadCSV(bufio.NewReader(in), name, game)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.csv, err)
	}
	return table, nil
}

// make makes the buckets of a recipe, with a bar for each phase.
func (f *abstractFlags) make(cmd *cobra.Command, game *acpc.Game, recipe buckets.Recipe) (*buckets.Table, error) {
	log := zerolog.Ctx(cmd.Context())
	var bar *cli.PhaseBar
	current := ""
	done := func() {
		if bar != nil {
			bar.Close()
		}
	}
	defer func() { done() }()
	table, err := cluster.Make(cmd.Context(), cluster.Job{
		Game: game, Recipe: recipe, File: f.output, Fresh: f.fresh, Threads: f.threads,
		Memory: f.memory.Or(memory.Available), Device: f.device,
		OnBegin: func(where string, bytes int64, finished int) {
			log.Info().Str("game", game.Name).Str("recipe", recipe.Name).Int("threads", f.threads).Str("device", where).
				Str("memory", memory.Bytes(bytes)).Msg("making buckets")
			if finished > 0 {
				log.Info().Int("rounds", finished).Msg("resumed")
			}
		},
		OnProgress: func(phase string, part float64) {
			if phase != current {
				done()
				current = phase
				bar = cli.NewPhaseBar(cmd, phase)
			}
			bar.Update(part)
		},
	})
	switch {
	case errors.As(err, new(*cluster.UnreadableError)):
		err = usererr.WithHint(err, "--fresh starts again and replaces it")
	case err != nil && cmd.Context().Err() != nil:
		err = usererr.WithHint(err, "the same command continues after the last round that was finished")
	}
	return table, err
}

// load returns the recipe.
func (f *abstractFlags) load() (buckets.Recipe, error) {
	name, a, err := configs.LoadAbstraction(f.recipe, f.set)
	if err != nil {
		return buckets.Recipe{}, cli.SettingsError(err)
	}
	r := buckets.Recipe{
		Name: name, Seed: a.KMeans.Seed, Restarts: int(a.KMeans.Restarts), Iterations: int(a.KMeans.Iterations),
		Sample: int(a.KMeans.Sample), Bins: int(a.Features.Bins), Clusters: int(a.Features.Clusters),
		PerfectRecall: a.Recall.Perfect,
	}
	for _, round := range a.Rounds {
		r.Rounds = append(r.Rounds, buckets.Round{Feature: buckets.Feature(round.Feature), Buckets: int(round.Buckets)})
	}
	return r, nil
}
