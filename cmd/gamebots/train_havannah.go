package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"gamebots/bots/grid/jobs"
	"gamebots/cmd/internal/cli"
	"gamebots/cudalib"
	"gamebots/internal/chart"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/selfplay"

	"github.com/spf13/cobra"
)

// netFlags are the flags of train havannah.
type netFlags struct {
	sides                           []int
	size, start                     string
	steps, seed, matchEvery         uint64
	time                            time.Duration
	cooldown                        float64
	threads                         int
	output, curve, plot, checkpoint string
	matchGames, simulations         int
	games                           int
	generation                      int
	device                          cudalib.Choice
	grid                            gridFlags
	fresh, force, json              bool
}

// The defaults of train havannah.
const (
	defaultNetSteps    = 2000
	defaultMatchEvery  = 250
	defaultMatchGames  = 40
	defaultSimulations = 1000
	defaultGeneration  = 64                       // with --nats
	gridGames          = 8 * selfplay.DeviceGames // on GPUs with --nats
	gridGeneration     = 512                      // there, some rounds of these games
)

func newTrainHavannah() *cobra.Command {
	f := netFlags{device: cudalib.CPU()}
	cmd := command("train_havannah", "havannah",
		"Train a network for Havannah by games against itself", cli.Arguments(0, 0),
		"STEPS", strconv.Itoa(defaultNetSteps), "EVERY", strconv.Itoa(defaultMatchEvery),
		"GAMES", strconv.Itoa(defaultMatchGames), "EVALUATIONS", strconv.Itoa(selfplay.MatchEvaluations),
		"SIMULATIONS", strconv.Itoa(defaultSimulations))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return runTrainHavannah(cmd, &f) }
	flags := cmd.Flags()
	flags.IntSliceVar(&f.sides, "sides", []int{4}, "sides of the boards, one for each step")
	flags.StringVar(&f.size, "size", "4x32", "size of the network as BLOCKSxCHANNELS; channels are a multiple of 16")
	flags.StringVar(&f.start, "start", "", "begin with the network of this `FILE`, of the same size")
	flags.IntVar(&f.games, "games", 0, fmt.Sprintf(
		"games on boards of each side that are played at the same time (default %d, %d on a GPU, %d with --nats)",
		selfplay.DefaultGames, selfplay.DeviceGames, gridGames))
	flags.IntVar(&f.generation, "generation", 0, fmt.Sprintf(
		"play the games for so many steps at once, by the network as it was as many steps before "+
			"(with --nats %d, on a GPU %d)", defaultGeneration, gridGeneration))
	f.grid.Add(flags)
	cli.AddDevice(flags, &f.device, "where the network plays and learns: cpu, cuda or cuda:N")
	flags.Uint64Var(&f.steps, "steps", 0, "stop after this many steps")
	flags.DurationVar(&f.time, "time", 0, "stop after this time, as in 30s or 10m")
	flags.Float64Var(&f.cooldown, "cooldown", 0,
		"last part of the training in which the learning rate falls to 0, as in 0.25")
	flags.Uint64Var(&f.seed, "seed", 0, "seed of random choices")
	cli.AddThreads(flags, &f.threads, "threads to use; the result is the same for any number")
	flags.StringVarP(&f.output, "output", "o", "havannah.net", "network file")
	flags.StringVar(&f.curve, "curve", "", "write losses and matches to this .csv `FILE`")
	flags.StringVar(&f.plot, "plot", "", "plot Elo against the operations of training into this .png or .svg `FILE`")
	flags.StringVar(&f.checkpoint, "checkpoint", checkpoint.DefaultSchedule.String(),
		"when to save checkpoints, as START,MULT,ADD or as one interval")
	flags.Uint64Var(&f.matchEvery, "match-every", defaultMatchEvery, "steps between matches; 0 for none")
	flags.IntVar(&f.matchGames, "match-games", defaultMatchGames, "games of a match on each side, an even number")
	flags.IntVar(&f.simulations, "opponent", defaultSimulations, "simulations a move of the opponent in matches")
	flags.BoolVar(&f.fresh, "fresh", false,
		"begin again, and replace the network and the checkpoint of another training")
	flags.BoolVar(&f.force, "force", false, "replace a file that is not a network")
	flags.BoolVar(&f.json, "json", false, "print the result as one JSON object")
	cli.Settings(cmd, append(rareGridFlags(), "games", "generation", "cooldown", "seed", "checkpoint", "match-every",
		"match-games", "opponent", "force")...)
	return cmd
}

// job returns the training that the flags describe.
func (f *netFlags) job() (j selfplay.Job, err error) {
	j = selfplay.Job{
		Settings: selfplay.Settings{Sides: f.sides, Seed: f.seed, Games: f.games, Generation: f.generation},
		File:     f.output, Steps: f.steps, Limit: f.time, Cooldown: f.cooldown, Threads: f.threads,
		Device: f.device, Fresh: f.fresh, Force: f.force, MatchEvery: f.matchEvery, Curve: f.curve,
		Match: selfplay.Match{Games: f.matchGames, Evaluations: selfplay.MatchEvaluations, Simulations: f.simulations},
	}
	if j.Limit == 0 {
		j.Steps = cmp.Or(f.steps, defaultNetSteps)
	}
	if j.Config, err = hexnet.ParseConfig(f.size); err != nil {
		return j, usererr.Usage(fmt.Errorf("--size: %w", err))
	}
	if j.Schedule, err = checkpoint.ParseSchedule(f.checkpoint); err != nil {
		return j, usererr.Usage(fmt.Errorf("--checkpoint: %w", err))
	}
	if f.start != "" {
		if j.Start, err = hexnet.Load(f.start); err != nil {
			return j, err
		}
	}
	if err := j.Check(); err != nil {
		return j, usererr.Usage(err)
	}
	return j, nil
}

// train does a training, with its games on a grid if the flags name one.
func (f *netFlags) train(ctx context.Context, j selfplay.Job) (*selfplay.Result, error) {
	if f.grid.NATS == "" {
		return selfplay.Run(ctx, j)
	}
	g, end, err := f.grid.Open(ctx, f.jobs())
	if err != nil {
		return nil, err
	}
	j.Elsewhere = func(ctx context.Context, gpu string) selfplay.PlayFunc { return jobs.PlayOn(ctx, g, gpu) }
	if f.device.GPU() {
		j.Games, j.Generation = cmp.Or(j.Games, gridGames), cmp.Or(j.Generation, gridGeneration)
	}
	j.Generation = cmp.Or(j.Generation, defaultGeneration)
	result, err := selfplay.Run(ctx, j)
	return result, errors.Join(err, end())
}

// jobs returns how many jobs this process does at a time: on a GPU one, while the data of another come and go.
func (f *netFlags) jobs() int {
	if f.device.GPU() {
		return 2
	}
	return f.threads
}

func runTrainHavannah(cmd *cobra.Command, f *netFlags) error {
	err := cli.RefuseZero(cmd.Flags(), "steps", "time", "match-games", "opponent", "games", "generation")
	if err != nil {
		return err
	}
	j, err := f.job()
	if err := cmp.Or(err, f.grid.Check()); err != nil {
		return err
	}
	if err := chart.Drawable("--plot", f.plot); err != nil {
		return err
	}
	if err := cmp.Or(cli.Writable(f.plot, "--plot"), cli.Writable(f.curve, "--curve")); err != nil {
		return err
	}
	watchNet(cmd, &j, f.plot)
	result, err := f.train(cmd.Context(), j)
	if err != nil {
		return trainingError(err)
	}
	if err := plotNet(f.plot, result.Sides, result.Curve, j.Match); err != nil {
		return err
	}
	if err := printNet(cmd.OutOrStdout(), result, j.Match, f.json); err != nil || cmd.Context().Err() == nil {
		return err
	}
	return usererr.WithHint(fmt.Errorf("interrupted after %d steps", result.Steps), "the same command continues")
}
