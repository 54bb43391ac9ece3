package main

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
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
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/cfr/train"

	"github.com/spf13/cobra"
)

// defaultIterations is the default number of iterations of train.
const defaultIterations = 1000

// trainFlags are the flags of train.
type trainFlags struct {
	train.Description
	train.Job                // with all that is not in words
	target, checkpoint, plot string
	memory                   cli.Bytes
	asShipped                bool
	real, json, dryRun       bool
	unit                     money.Unit
}

func newTrain() *cobra.Command {
	var f trainFlags
	cmd := command("train", "train GAME",
		"Train a strategy for a game, or a network for Havannah", cli.Arguments(1, 1),
		"ITERATIONS", strconv.Itoa(defaultIterations))
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return runTrain(cmd, args[0], &f) }
	f.add(cmd)
	cmd.AddCommand(newTrainHavannah())
	return cmd
}

// add adds the flags to a command.
func (f *trainFlags) add(cmd *cobra.Command) {
	vector, sampling := train.Names()
	flags := cmd.Flags()
	flags.StringVar(&f.Algorithm, "algorithm", "",
		strings.Join(append(vector, sampling...), ", ")+
			" (default dcfr, external for quick cards, sapcfr+ for extensive games)")
	flags.StringVar(&f.Cards, "abstraction", abstraction.Lossless.String(),
		"card abstraction: lossless merges hands that differ only in the names of suits, none merges nothing, quick "+
			"merges hands of hold'em by strength, sets forgets which cards are on the board; or a FILE.buckets of "+
			"gamebots abstract")
	flags.StringVar(&f.OpponentCards, "opponent-abstraction", "",
		"card abstraction of the opponent that each player is trained against, as a finer FILE.buckets; linear-pcs "+
			"and pcs+ only")
	flags.StringVar(&f.Actions, "actions", "",
		"raises of a no-limit game: as in fcpa or 'flop: 0.5,1,a/1,a', or a shipped menu ("+
			strings.Join(configs.Menus(), ", ")+"), or a FILE.toml with one (default fcpa)")
	flags.StringVar(&f.OpponentActions, "opponent-actions", "",
		"raises of the opponent that each player is trained against, written as in --actions; linear-pcs, pcs+ and "+
			"public-cfr-br only")
	flags.BoolVar(&f.Forgetful, "forgetful", false, "forget how the betting of earlier rounds went")
	flags.BoolVar(&f.DeadMoney, "forget-dead-money", false,
		"be forgetful, and also forget which folded players put in how much; external only")
	flags.Uint64Var(&f.Goal.Iterations, "iterations", 0, "stop after this many iterations")
	flags.DurationVar(&f.Limit, "time", 0, "stop after this time, as in 30s or 10m")
	flags.StringVar(&f.target, "target", "", "stop at this exploitability, in chips or with the suffix mb")
	flags.IntVar(&f.Batch, "batch", 0, "iterations at once, the same as the number in brackets after the algorithm")
	flags.Uint64Var(&f.Seed, "seed", 0, "seed of random choices")
	cli.AddThreads(flags, &f.Threads, "threads to use; the result does not depend on them")
	flags.IntVar(&f.Bits, "storage", 32,
		"bits of a number in memory: 32, or 16 for about half the memory, with all algorithms but "+
			"deals and those of Reis")
	cli.AddDevice(flags, &f.Device,
		"where to train: auto, cpu, cuda, cuda:N, or cuda:all for linear-pcs, pcs+ and public-cfr-br")
	cli.AddMemory(flags, &f.memory)
	flags.StringVarP(&f.File, "output", "o", "", "strategy file (default GAME.strategy)")
	flags.StringVar(&f.checkpoint, "checkpoint", checkpoint.DefaultSchedule.String(),
		"when to save checkpoints, as START,MULT,ADD or as one interval")
	flags.BoolVar(&f.Compact, "compact", false,
		"save checkpoints of about a tenth of the size, from which training continues, but with other bits; "+
			"linear-pcs, pcs+ and public-cfr-br only")
	flags.StringVar(&f.Start, "start", "",
		"begin with the average strategy of this `CHECKPOINT` of linear-pcs or pcs+; for public-cfr-br")
	flags.Uint64Var(&f.StartIterations, "start-iterations", train.DefaultStart,
		"how many iterations the regrets of --start count as; the fewer, the sooner training overrides them")
	flags.BoolVar(&f.Fresh, "fresh", false,
		"begin again, and replace the strategy and the checkpoint of another training")
	flags.BoolVar(&f.Force, "force", false, "replace a file that is not a strategy")
	flags.BoolVar(&f.dryRun, "dry-run", false, "only print the size of the game in memory, round by round")
	flags.BoolVar(&f.asShipped, "as-shipped", false,
		"make the strategy that comes with the program again, by all of its steps; --dry-run prints them")
	flags.BoolVar(&f.NoResponse, "no-response", false, "do not learn a response to a strategy that cannot be evaluated")
	flags.BoolVar(&f.real, "real", false,
		"evaluate by best responses in the game itself strategies that cannot be evaluated otherwise")
	flags.StringVar(&f.plot, "plot", "", "plot exploitability against iterations and time into this .png or .svg file")
	flags.StringVar(&f.Curve, "curve", "",
		"write all evaluations to this .csv `FILE`: iterations, seconds, exploitability of the average "+
			"and of the current strategy and values, in mb")
	flags.BoolVar(&f.json, "json", false, "print the result as one JSON object, in chips")
	cli.AddUnit(flags, &f.unit)
	cli.Settings(cmd, "opponent-abstraction", "opponent-actions", "forgetful", "forget-dead-money", "batch", "seed",
		"storage", "memory", "checkpoint", "compact", "start", "start-iterations", "force", "no-response", "real",
		"curve", "unit")
}

// onlyPoker are flags that have no effect on an extensive game.
var onlyPoker = []string{"as-shipped", "forgetful", "forget-dead-money", "no-response", "unit"}

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
	case j.Start == "" && given("start-iterations"):
		return j, usererr.Usagef("--start-iterations has no effect without --start")
	case j.NoResponse && f.real:
		return j, usererr.Usagef("--no-response has no effect with --real, which learns none")
	case f.json && given("unit"):
		return j, usererr.Usagef("--json and --unit cannot be combined: JSON is in chips")
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
	if j.Schedule, err = checkpoint.ParseSchedule(f.checkpoint); err != nil {
		return j, usererr.Usage(fmt.Errorf("--checkpoint: %w", err))
	}
	j.Memory, j.Plotted = f.memory.Or(memory.Available), f.plot != ""
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
	switch {
	case err != nil:
		return trainingError(err)
	case f.json:
		return size.WriteJSON(w, j.Game.Name)
	}
	return size.WriteText(w)
}

func runTrain(cmd *cobra.Command, name string, f *trainFlags) error {
	if err := cli.RefuseZero(cmd.Flags(), "iterations", "time", "batch", "start-iterations"); err != nil {
		return err
	}
	if err := chart.Drawable("--plot", f.plot); err != nil {
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
		if format, err = f.unit.In(game); err != nil {
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
	if err := cmp.Or(cli.Writable(f.plot, "--plot"), cli.Writable(f.Curve, "--curve")); err != nil {
		return err
	}
	if f.real {
		j.InGame = judgeInGame(cmd, &j)
	}
	defer watchTraining(cmd, &j)()
	result, err := train.Run(cmd.Context(), j)
	if result == nil {
		return trainingError(err)
	}
	if err := printTrained(cmd.OutOrStdout(), result, j.Players(), format, f.json); err != nil {
		return err
	}
	if f.plot != "" && (err == nil || errors.As(err, new(*train.TargetError))) {
		err = cmp.Or(plotTrained(f.plot, result, j.Spec), err)
	}
	if err == nil && cmd.Context().Err() != nil {
		err = fmt.Errorf("interrupted after %d iterations", result.Iterations)
		if result.File != "" {
			err = usererr.WithHint(err, "the same command continues")
		}
	}
	return trainingError(err)
}
