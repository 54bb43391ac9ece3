package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"gamebots/bots/grid/jobs"
	"gamebots/cmd/internal/cli"
	"gamebots/cudalib"
	"gamebots/internal/chart"
	"gamebots/internal/usererr"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/selfplay"

	"github.com/spf13/cobra"
)

// netFlags are the flags of train havannah.
type netFlags struct {
	sides                   []int
	size, start             string
	steps, seed, matchEvery uint64
	time                    time.Duration
	cooldown                float64
	threads                 int
	output, plot            string
	matchGames, simulations int
	games                   int
	generation              int
	device                  cudalib.Choice
	grid                    gridFlags
	fresh, json             bool
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
	f := netFlags{
		sides: []int{4}, size: "4x32", output: "havannah.net",
		matchEvery: defaultMatchEvery, matchGames: defaultMatchGames, simulations: defaultSimulations,
		device: cudalib.CPU(),
	}
	cmd := command("train_havannah", "havannah",
		"Train a network for Havannah by games against itself", cli.Arguments(0, 0),
		"STEPS", defaultNetSteps, "EVERY", defaultMatchEvery, "GAMES", defaultMatchGames,
		"EVALUATIONS", selfplay.MatchEvaluations, "SIMULATIONS", defaultSimulations, "HERE", selfplay.DefaultGames,
		"DEVICE", selfplay.DeviceGames, "GRID", gridGames, "GENERATION", defaultGeneration,
		"GRIDGENERATION", gridGeneration)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return runTrainHavannah(cmd, &f) }
	flags := cmd.Flags()
	f.grid.Add(flags)
	cli.Bind(cmd, "sides", &f.sides, "size", &f.size, "start", &f.start, "games", &f.games,
		"generation", &f.generation, "device", &f.device, "steps", &f.steps, "time", &f.time, "cooldown", &f.cooldown,
		"seed", &f.seed, "threads", cli.PerProcessor(&f.threads), "output", &f.output,
		"plot", &f.plot, "match-every", &f.matchEvery, "match-games", &f.matchGames,
		"opponent", &f.simulations, "fresh", &f.fresh, "json", &f.json)
	return cmd
}

// job returns the training that the flags describe.
func (f *netFlags) job() (j selfplay.Job, err error) {
	j = selfplay.Job{
		Settings: selfplay.Settings{Sides: f.sides, Seed: f.seed, Games: f.games, Generation: f.generation},
		File:     f.output, Steps: f.steps, Limit: f.time, Cooldown: f.cooldown, Threads: f.threads,
		Device: f.device, Fresh: f.fresh, MatchEvery: f.matchEvery,
		Match: selfplay.Match{Games: f.matchGames, Evaluations: selfplay.MatchEvaluations, Simulations: f.simulations},
	}
	if j.Limit == 0 {
		j.Steps = cmp.Or(f.steps, defaultNetSteps)
	}
	if j.Config, err = hexnet.ParseConfig(f.size); err != nil {
		return j, usererr.Usage(fmt.Errorf("--size: %w", err))
	}
	if filepath.Ext(f.plot) == ".csv" {
		j.Curve, f.plot = f.plot, ""
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
	err = cmp.Or(chart.Drawable("--plot", f.plot, ".csv"), cli.Writable(f.plot, "--plot"), f.grid.Check())
	if err != nil {
		return err
	}
	j, err := f.job()
	if err != nil {
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
	err = printNet(cmd.OutOrStdout(), result, j.Match, f.json)
	if err != nil || cmd.Context().Err() == nil {
		return cli.Next(cmd, err, "match", "havannah", "--a", "gumbel,net="+result.File, "--b", "mcts")
	}
	return usererr.WithHint(fmt.Errorf("interrupted after %d steps", result.Steps), "the same command continues")
}
