package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/money"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/internal/chart"
	"gamebots/internal/memory"
	"gamebots/internal/parallel"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/train"

	"github.com/spf13/cobra"
)

// defaultIterations is the default number of iterations of train.
const defaultIterations = 1000

// trainFlags are the flags of train.
type trainFlags struct {
	train.Description
	train.Job    // with all that is not in words
	target, plot string
	memory       cli.Bytes
	asShipped    bool
	json, dryRun bool
}

func newTrain() *cobra.Command {
	var f trainFlags
	f.Cards, f.Bits = abstraction.Lossless.String(), 32
	vector, sampling := train.Names()
	cmd := command("train", "train GAME",
		"Train a strategy for a game, or a network for Havannah", cli.Arguments(1, 1), "ITERATIONS", defaultIterations,
		"VECTOR", cli.Wrap(strings.Join(vector, ", "), "  "), "SAMPLING", cli.Wrap(strings.Join(sampling, ", "), "  "),
		"MENUS", configs.Menus())
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return runTrain(cmd, args[0], &f) }
	cli.Bind(cmd, "algorithm", &f.Algorithm, "abstraction", &f.Cards, "opponent-abstraction", &f.OpponentCards,
		"actions", &f.Actions, "opponent-actions", &f.OpponentActions, "forget", &f.Forget,
		"iterations", &f.Goal.Iterations, "time", &f.Limit, "target", &f.target, "seed", &f.Seed,
		"threads", cli.PerProcessor(&f.Threads), "storage", &f.Bits, "device", &f.Device, "memory", &f.memory,
		"output", &f.File, "start", &f.Start, "fresh", &f.Fresh, "dry-run", &f.dryRun,
		"as-shipped", &f.asShipped, "no-response", &f.NoResponse, "plot", &f.plot, "json", &f.json)
	cmd.AddCommand(newTrainHavannah())
	return cmd
}

// onlyPoker are flags that have no effect on an extensive game.
var onlyPoker = []string{"as-shipped", "no-response"}

// spec returns what the flags describe in words: the training of an extensive game if that is not nil, or of a game of
// poker.
func (f trainFlags) spec(tree *train.Tree, game *acpc.Game, given func(flag string) bool) (train.Spec, error) {
	if tree == nil {
		return f.Description.Spec(game)
	}
	for _, flag := range onlyPoker {
		if given(flag) {
			return train.Spec{}, usererr.Usagef("--%s is for games of poker, and %s is an extensive game", flag,
				tree.Name())
		}
	}
	return f.TreeSpec(tree)
}

// job returns the training of a game that the flags describe, which is nil for an extensive game. given reports
// whether a flag was given.
func (f trainFlags) job(tree *train.Tree, game *acpc.Game, given func(flag string) bool) (j train.Job, err error) {
	j = f.Job
	if f.Actions, err = configs.Actions(f.Actions); err != nil {
		return j, err
	}
	if f.OpponentActions, err = configs.Actions(f.OpponentActions); err != nil {
		return j, &train.Error{Field: train.FieldOpponentActions, Err: err}
	}
	if j.Spec, err = f.spec(tree, game, given); err != nil {
		return j, err
	}
	switch a := j.Algorithm; {
	case a.IsVector() && given("seed"):
		return j, usererr.Usagef("--seed has no effect: %v makes no random choices", a)
	case j.Limit < 0:
		return j, usererr.Usagef("--time: %v is negative", j.Limit)
	}
	if f.target != "" {
		if j.Goal.Exploitability, err = train.ParseTarget(game, f.target); err != nil {
			return j, err
		}
	}
	if j.Goal == (train.Goal{}) && j.Limit == 0 {
		j.Goal.Iterations = defaultIterations
	}
	if j.Memory, j.Plotted = f.memory.Or(memory.Available), f.plot != ""; filepath.Ext(f.plot) == ".csv" {
		j.Curve, j.Plotted = f.plot, false
	}
	suffix := ".strategy"
	if tree != nil {
		suffix = ".profile.json"
	}
	j.File = cmp.Or(j.File, j.Name()+suffix)
	return j, nil
}

// printSize prints how large the game of a training becomes.
func (f *trainFlags) printSize(cmd *cobra.Command, j *train.Job) error {
	w := cmd.OutOrStdout()
	if j.Tree != nil {
		size, err := parallel.Await(cmd.Context(), func() (*train.TreeSize, error) {
			return j.TreeSize(cmd.Context(), j.Options)
		})
		if err != nil {
			return trainingError(err)
		}
		return cli.Print(w, f.json, size)
	}
	size, err := j.Size()
	if err != nil {
		return trainingError(err)
	}
	return cli.Print(w, f.json, size.Report(j.Game.Name))
}

func runTrain(cmd *cobra.Command, name string, f *trainFlags) error {
	if err := cli.RefuseZero(cmd.Flags(), "iterations", "time"); err != nil {
		return err
	}
	if err := chart.Drawable("--plot", f.plot, ".csv"); err != nil {
		return err
	}
	tree, err := openTree(cmd, name)
	if err != nil {
		return err
	}
	var game *acpc.Game
	var format money.Format
	if tree == nil {
		if game, err = configs.Game(name); err != nil {
			return err
		}
		if format, err = money.Usual.In(game); err != nil {
			return usererr.Usage(err)
		}
	}
	if f.asShipped && tree == nil {
		return runAsShipped(cmd, game, name, f)
	}
	j, err := f.job(tree, game, cmd.Flags().Changed)
	if err != nil {
		return trainingError(err)
	}
	if f.dryRun {
		return f.printSize(cmd, &j)
	}
	if err := cli.Writable(f.plot, "--plot"); err != nil {
		return err
	}
	defer watchTraining(cmd, &j)()
	result, err := train.Run(cmd.Context(), j)
	if result == nil {
		return trainingError(err)
	}
	if err := printTrained(cmd.OutOrStdout(), result, j.Players(), format, f.json); err != nil {
		return err
	}
	if j.Plotted && (err == nil || errors.As(err, new(*train.TargetError))) {
		err = cmp.Or(plotTrained(f.plot, result, j.Spec), err)
	}
	if err == nil && cmd.Context().Err() != nil {
		err = fmt.Errorf("interrupted after %s", usererr.Iterations(result.Iterations))
		if result.File != "" {
			err = usererr.WithHint(err, "the same command continues")
		}
	}
	switch err = trainingError(err); {
	case result.File == "":
		return err
	case tree != nil:
		return cli.Next(cmd, err, "show", result.File)
	}
	return cli.Next(cmd, err, "play", "poker", name, "--against", result.File)
}
