package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"gamebots/cmd/internal/cli"
	"gamebots/cudalib"
	"gamebots/internal/chart"
	"gamebots/internal/progress"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/selfplay"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// trainHavannahFlags are the flags of train havannah.
type trainHavannahFlags struct {
	sides                            []int
	size, start                      string
	steps, seed                      uint64
	time                             time.Duration
	threads                          int
	output, curve, plot, checkpoint  string
	matchEvery, matchGames, opponent int
	games                            int
	device                           cudalib.Choice
	fresh, force, json               bool
}

// The defaults of train havannah.
const (
	defaultNetSteps   = 2000
	defaultMatchEvery = 250
	defaultMatchGames = 40
	defaultOpponent   = 1000 // simulations
	gamesOnGPU        = 2048
)

func newTrainHavannah() *cobra.Command {
	f := trainHavannahFlags{sides: []int{4}, size: "4x32", matchEvery: defaultMatchEvery, matchGames: defaultMatchGames, opponent: defaultOpponent, device: cudalib.CPU()}
	cmd := &cobra.Command{
		Use:   "havannah",
		Short: "Train a network for Havannah by games against itself",
		Long: fmt.Sprintf(`havannah trains a network for Havannah from nothing but the rules, by games that
it plays against itself, and writes it to a file that bots read with --net.

A step learns from 256 recorded positions; before it, enough games are played
that each position is used four times on average. --sides lists the sides of the
boards for the steps, in turn: 5,6,6 learns twice as often from side 6 as from
side 5. The network plays on boards of all sides, but well only on those on
which it was trained. For larger boards, --start begins with a network of
smaller ones.

It stops after --steps, or after --time, which counts the training of all runs
together; the default is %d steps. Ctrl-C or SIGTERM also stops it, after the
current step. The network is saved from time to time and at the end, with a
checkpoint beside it, in FILE.checkpoint; the same command, or one with more
steps, continues from there to the same bits as without an interruption. All
results are the same for any number of --threads.

--device cuda plays and learns on a GPU, which searches in thousands of games at
once, in half precision, while --threads make the moves. The channels of the
network must be a multiple of 32. The results differ from those of the CPU by
rounding, and depend on the number of --games. A training that began on the CPU
can continue on a GPU, and vice versa.

Every --match-every steps the network plays --match-games games on each side,
with %d evaluations a move, against the tree search of the bot mcts without a
network, with --opponent simulations a move. Its score and its Elo above that
opponent are logged, --curve writes them to a file with the losses and the
floating-point operations so far, and --plot draws them.

The command refuses to replace another training's file or checkpoint unless
--fresh is given, and a file that is not a network unless --force is given. Two
trainings cannot write to one file.

More: docs/network.md`, defaultNetSteps, selfplay.MatchEvaluations),
		Example: `  gamebots train havannah --sides 3 --steps 500 -o three.net
  gamebots train havannah --sides 3,4,4 --time 30m -o four.net \
    --curve four.csv --plot four.svg
  gamebots train havannah --sides 4,5,5 --start four.net --steps 4000 \
    -o five.net
  gamebots train havannah --sides 5,6,6 --size 6x64 --device cuda --time 1h \
    -o six.net
  gamebots check four.net
  gamebots match havannah --a gumbel,net=four.net --b mcts,simulations=1000 \
    --side 4`,
		Args: cli.Arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return runTrainHavannah(cmd, f) },
	}
	flags := cmd.Flags()
	flags.IntSliceVar(&f.sides, "sides", f.sides, "sides of the boards, one for each step")
	flags.StringVar(&f.size, "size", f.size, "size of the network as BLOCKSxCHANNELS; channels are a multiple of 16")
	flags.StringVar(&f.start, "start", "", "begin with the network of this `FILE`, of the same size")
	flags.IntVar(&f.games, "games", 0, fmt.Sprintf("games on boards of each side that are played at the same time (default %d, %d on a GPU)", selfplay.DefaultGames, gamesOnGPU))
	cli.AddDevice(flags, &f.device, "where the network plays and learns: cpu, cuda or cuda:N")
	flags.Uint64Var(&f.steps, "steps", 0, "stop after this many steps")
	flags.DurationVar(&f.time, "time", 0, "stop after this time, as in 30s or 10m")
	flags.Uint64Var(&f.seed, "seed", 0, "seed of random choices")
	cli.AddThreads(flags, &f.threads, "threads to use; the result is the same for any number")
	flags.StringVarP(&f.output, "output", "o", "havannah.net", "network file")
	flags.StringVar(&f.curve, "curve", "", "write losses and matches to this .csv `FILE`")
	flags.StringVar(&f.plot, "plot", "", "plot Elo against the operations of training into this .png or .svg `FILE`")
	flags.StringVar(&f.checkpoint, "checkpoint", checkpoint.DefaultSchedule.String(), "when to save checkpoints, as START,MULT,ADD or as one interval")
	flags.IntVar(&f.matchEvery, "match-every", f.matchEvery, "steps between matches; 0 for none")
	flags.IntVar(&f.matchGames, "match-games", f.matchGames, "games of a match on each side, an even number")
	flags.IntVar(&f.opponent, "opponent", f.opponent, "simulations a move of the opponent in matches")
	flags.BoolVar(&f.fresh, "fresh", false, "begin again, and replace the network and the checkpoint of another training")
	flags.BoolVar(&f.force, "force", false, "replace a file that is not a network")
	flags.BoolVar(&f.json, "json", false, "print the result as one JSON object")
	return cmd
}

// settings returns the training that the flags describe.
func (f *trainHavannahFlags) settings(flags *pflag.FlagSet) (s selfplay.Settings, err error) {
	if err := cli.RefuseZero(flags, "steps", "time", "match-games", "opponent", "games"); err != nil {
		return s, err
	}
	s = selfplay.Settings{Sides: f.sides, Seed: f.seed, Games: f.games}
	if f.games == 0 && f.device.GPU() {
		s.Games = gamesOnGPU
	}
	if s.Config, err = hexnet.ParseConfig(f.size); err != nil {
		return s, usererr.Usage(fmt.Errorf("--size: %w", err))
	}
	if f.start != "" {
		if s.Start, err = hexnet.Load(f.start); err != nil {
			return s, err
		}
	}
	switch err := s.Check(); {
	case err != nil:
		return s, usererr.Usage(err)
	case f.time < 0:
		return s, usererr.Usagef("--time: %v is negative", f.time)
	case f.matchEvery < 0 || f.matchGames < 0 || f.matchGames%2 != 0 || f.opponent < 0:
		return s, usererr.Usagef("--match-every, --match-games and --opponent: not positive numbers, or an odd number of games")
	case f.curve != "" && !strings.HasSuffix(f.curve, ".csv"):
		return s, usererr.Usagef("--curve: %s is not a .csv file", f.curve)
	}
	if err := chart.Drawable("--plot", f.plot); err != nil {
		return s, err
	}
	if f.steps == 0 && f.time == 0 {
		f.steps = defaultNetSteps
	}
	for _, file := range []struct{ path, flag string }{{f.output, "-o"}, {f.curve, "--curve"}, {f.plot, "--plot"}} {
		if file.path != "" {
			if err := cli.Writable(file.path, file.flag); err != nil {
				return s, err
			}
		}
	}
	return s, nil
}

func runTrainHavannah(cmd *cobra.Command, f trainHavannahFlags) error {
	settings, err := f.settings(cmd.Flags())
	if err != nil {
		return err
	}
	schedule, err := checkpoint.ParseSchedule(f.checkpoint)
	if err != nil {
		return usererr.Usage(fmt.Errorf("--checkpoint: %w", err))
	}
	release, err := cli.Hold(f.output, "-o")
	if err != nil {
		return err
	}
	defer release()
	if err := f.checkOutput(); err != nil {
		return err
	}
	device, where, err := f.device.Open()
	if err != nil {
		return trainingError(err)
	}
	if device != nil {
		defer device.Close() // the results are no longer on it
	}
	training, err := selfplay.New(settings, selfplay.Options{Threads: f.threads, Device: device})
	if err != nil {
		return err
	}
	defer training.Close() // likewise
	session := &selfplay.Session{Training: training, File: f.output, Goal: f.steps, Limit: f.time, Schedule: schedule}
	log := zerolog.Ctx(cmd.Context())
	if !f.fresh {
		resumed, err := session.Resume()
		if err != nil {
			return usererr.WithHint(err, hintFresh)
		}
		if resumed {
			log.Info().Str("file", session.CheckpointFile()).Uint64("steps", training.Steps()).Str("spent", session.Spent().Round(time.Second).String()).Msg("resumed")
		}
	}
	log.Info().Ints("sides", f.sides).Str("network", f.size).Int("threads", f.threads).Str("device", where).Msg("training")
	stop := context.AfterFunc(cmd.Context(), func() {
		log.Warn().Msg("ending after this step; Ctrl-C again ends at once")
	})
	defer stop()
	bar := &netTrainingBar{session: session, log: log, bar: progress.New(cmd.ErrOrStderr(), "havannah")}
	matches := selfplay.Match{Games: f.matchGames, Evaluations: selfplay.MatchEvaluations, Simulations: f.opponent, Seed: f.seed, Threads: f.threads}
	curve := netCurve{table: f.curve, plot: f.plot, sides: training.Sides(), games: f.matchGames}
	session.OnStep = func(losses hexnet.Losses) error {
		bar.update(losses)
		if f.matchEvery == 0 || training.Steps()%uint64(f.matchEvery) != 0 {
			return nil
		}
		return notePoint(session, matches, curve, log)
	}
	session.OnCheckpoint = func(err error) {
		if err != nil {
			log.Error().Err(err).Msg("no checkpoint")
		}
	}
	err = session.Run(cmd.Context())
	bar.bar.Close()
	if err := errors.Join(err, curve.write(training.Curve)); err != nil {
		return err
	}
	if cmd.Context().Err() != nil {
		log.Warn().Uint64("steps", training.Steps()).Msg("interrupted; the same command continues")
	}
	return f.print(cmd.OutOrStdout(), session)
}

// checkOutput refuses to replace what no training of this command wrote.
func (f *trainHavannahFlags) checkOutput() error {
	if !isNet(f.output) {
		return cli.Replaceable(f.output, "-o FILE", f.force)
	}
	if _, err := os.Stat(f.output + selfplay.CheckpointSuffix); !f.fresh && errors.Is(err, fs.ErrNotExist) {
		return usererr.WithHint(fmt.Errorf("%s is a network without a checkpoint to continue from", f.output), hintFresh)
	}
	return nil
}
