package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"gamebots/cmd/gamebots/internal/strategies"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/cfr/train"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// defaultIterations is the default number of iterations of train.
const defaultIterations = 1000

// trainFlags are the flags of train.
type trainFlags struct {
	algorithm, abstraction, actions string
	opponent, opponentActions       string
	forgetful                       bool
	target                          string
	output, checkpoint, plot, curve string
	start                           string
	iterations, seed                uint64
	startIterations                 uint64
	batch                           int
	time                            time.Duration
	threads                         int
	storage                         int
	memory                          cli.Bytes
	device                          cudalib.Choice
	fresh, force, noResponse        bool
	real, json, compact, dryRun     bool
}

func newTrain() *cobra.Command {
	var f trainFlags
	cmd := &cobra.Command{
		Use:   "train GAME",
		Short: "Train a strategy for a poker game, or a network for Havannah",
		Long: `train finds a strategy for a poker game by counterfactual regret minimisation
(CFR), and writes it to a file that play, evaluate and show read. GAME is the
name of a game (see gamebots games) or a game definition file.

It stops when one of --iterations, --time and --target is reached; the default
is ` + strconv.Itoa(defaultIterations) + ` iterations. Ctrl-C stops it, too, and saves the strategy. The same
command, or one with a further goal, continues from the checkpoint beside the
file. A training never replaces another one's file unless --fresh is given.

It prints the exploitability: what a best response wins from the strategy in
the game that was trained, in chips a hand, averaged over the seats. For hold'em
with buckets that is a lower bound, the winnings of a response that it learns;
--real computes what a best response wins in the game itself, without buckets.
The suffix mb means thousandths of the largest blind or ante.

Algorithms that visit all cards in each iteration:
  dcfr          discounted CFR, the default; dcfr(1.5,0,2) sets its parameters
  cfr+, dcfr+, pcfr+, linear, cfr, cfr-br
Algorithms that sample, for larger games:
  external      the default for quick cards; external(64) does 64 at once
  outcome, chance, self-public, opponent-public, public, racing-external, deals,
  recursive, iterative, reis-gpu
Algorithms that sample boards, for two players and any buckets:
  pcs+          for hold'em with thousands of buckets, above all on a GPU
  linear-pcs, public-cfr-br

Hold'em with 52 cards needs a card abstraction: --abstraction quick takes ten
seconds to make, and gamebots abstract makes better ones. No-limit games are
trained with the few raises of --actions:
  fcpa          fold, call, pot and all-in, the default
  '0.5,1,a; p2 turn river: min,3x,1/a/-'
                fractions of the pot, all-in (a) and multiples of the bet (3x),
                by round and position, for a first bet, after each / for a
                further raise; - is none
  lean          a shipped menu; blueprint and six-max are others
--forgetful makes games of more than two players far smaller.

--device auto uses a GPU if the game is large enough to gain by it. A game that
does not fit in memory is refused; --dry-run only prints how large it becomes.

More: docs/training.md`,
		Example: `  gamebots train leduc
  gamebots train leduc --target 1mb
  gamebots train kuhn --algorithm cfr+ --iterations 10000 -o kuhn.strategy
  gamebots train holdem-limit-2p --abstraction quick --time 10m
  gamebots train holdem-limit-2p --abstraction 9000.buckets \
    --algorithm 'pcs+(128)' --device cuda --time 9m
  gamebots train holdem-limit-3p --abstraction quick --forgetful --time 10m
  gamebots train holdem-nolimit-2p --abstraction quick --actions lean --dry-run
  gamebots train rhode-island --time 30s --threads 2 --plot convergence.svg`,
		Args: cli.Arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return runTrain(cmd, args[0], f) },
	}
	vector, sampling := train.Names()
	flags := cmd.Flags()
	flags.StringVar(&f.algorithm, "algorithm", "", strings.Join(append(vector, sampling...), ", ")+" (default dcfr, or external for quick cards)")
	flags.StringVar(&f.abstraction, "abstraction", abstraction.Lossless.String(), "card abstraction: lossless merges hands that differ only in the names of suits, none merges nothing, quick merges hands of hold'em by strength, sets forgets which cards are on the board; or a FILE.buckets of gamebots abstract")
	flags.StringVar(&f.opponent, "opponent-abstraction", "", "card abstraction of the opponent that each player is trained against, as a finer FILE.buckets; linear-pcs and pcs+ only")
	flags.StringVar(&f.actions, "actions", "", "raises of a no-limit game: as in fcpa or 'flop: 0.5,1,a/1,a', or a shipped menu ("+strings.Join(configs.Menus(), ", ")+"), or a FILE.toml with one (default fcpa)")
	flags.StringVar(&f.opponentActions, "opponent-actions", "", "raises of the opponent that each player is trained against, written as in --actions; linear-pcs and pcs+ only")
	flags.BoolVar(&f.forgetful, "forgetful", false, "forget how the betting of earlier rounds went")
	flags.Uint64Var(&f.iterations, "iterations", 0, "stop after this many iterations")
	flags.DurationVar(&f.time, "time", 0, "stop after this time, as in 30s or 10m")
	flags.StringVar(&f.target, "target", "", "stop at this exploitability, in chips or with the suffix mb")
	flags.IntVar(&f.batch, "batch", 0, "iterations at once, the same as the number in brackets after the algorithm")
	flags.Uint64Var(&f.seed, "seed", 0, "seed of random choices")
	cli.AddThreads(flags, &f.threads, "threads to use; except for racing-external, the result does not depend on them")
	flags.IntVar(&f.storage, "storage", 32, "bits of a number in memory, 32 or 16; 16 takes about half the memory; for all algorithms but cfr-br, racing-external, deals and those of Reis")
	cli.AddDevice(flags, &f.device, "where to train: auto, cpu, cuda, cuda:N, or cuda:all for linear-pcs, pcs+ and public-cfr-br")
	flags.Var(&f.memory, "memory", "memory limit, as in 8GiB (default all available memory)")
	flags.StringVarP(&f.output, "output", "o", "", "strategy file (default GAME.strategy)")
	flags.StringVar(&f.checkpoint, "checkpoint", checkpoint.DefaultSchedule.String(), "when to save checkpoints, as START,MULT,ADD or as one interval")
	flags.BoolVar(&f.compact, "compact", false, "save checkpoints of about a tenth of the size, from which training continues, but with other bits; linear-pcs, pcs+ and public-cfr-br only")
	flags.StringVar(&f.start, "start", "", "begin with the average strategy of this `CHECKPOINT` of linear-pcs or pcs+; for public-cfr-br")
	flags.Uint64Var(&f.startIterations, "start-iterations", train.DefaultStart, "how many iterations the regrets of --start count as; the fewer, the sooner training overrides them")
	flags.BoolVar(&f.fresh, "fresh", false, "begin again, and replace the strategy and the checkpoint of another training")
	flags.BoolVar(&f.force, "force", false, "replace a file that is not a strategy")
	flags.BoolVar(&f.dryRun, "dry-run", false, "only print the size of the game in memory, round by round")
	flags.BoolVar(&f.noResponse, "no-response", false, "do not learn a response to a strategy that cannot be evaluated")
	flags.BoolVar(&f.real, "real", false, "evaluate by best responses in the game itself strategies that cannot be evaluated otherwise")
	flags.StringVar(&f.plot, "plot", "", "plot exploitability against iterations and time into this .png or .svg file")
	flags.StringVar(&f.curve, "curve", "", "write all evaluations to this .csv or .jsonl `FILE`: iterations, seconds, exploitability of the average and of the current strategy and values, in mb")
	flags.BoolVar(&f.json, "json", false, "print the result as one JSON object")
	cmd.AddCommand(newTrainHavannah())
	return cmd
}

func runTrain(cmd *cobra.Command, name string, f trainFlags) error {
	spec, err := f.spec(cmd.Flags(), name)
	if err != nil {
		return usageOf(err)
	}
	game := spec.Game
	if f.dryRun {
		size, err := spec.Size()
		if err != nil {
			return usageOf(err)
		}
		return printSize(cmd.OutOrStdout(), game, &size, f.json)
	}
	options, err := f.session(game)
	if err != nil {
		return err
	}
	release, err := cli.Hold(f.output, "-o")
	if err != nil {
		return err
	}
	defer release()
	if err := f.checkOutput(); err != nil {
		return err
	}
	log := zerolog.Ctx(cmd.Context())
	t, err := cli.Phase(cmd, strategies.PreparingCards, func(progress func(part float64)) (*train.Training, error) {
		return train.Open(spec, train.Options{Threads: f.threads, Memory: f.memory.Or(memory.Available), OnPrepare: progress, OnDevice: !f.device.CPU()})
	})
	if err != nil {
		return usageOf(err)
	}
	where, err := t.MoveToDevice(f.device)
	if err != nil {
		return usageOf(err)
	}
	defer t.Close() // the results are no longer on the device
	if f.compact {
		if err := t.Compact(); err != nil {
			return usageOf(err)
		}
	}
	if f.real && !spec.Actions.All() {
		return usererr.Usagef("--real: a strategy with few raises has no best response in the game itself")
	}
	inGame := f.real && !t.CanEvaluate()
	if inGame {
		if err := f.evaluateInGame(cmd, t); err != nil {
			return err
		}
	}
	if (f.plot != "" || f.curve != "") && !t.CanEvaluate() {
		return usererr.Usagef("--plot and --curve: there is no curve, as strategies of %s with %s cards are not evaluated", game.Name, t.Cards)
	}
	log.Info().Str("game", game.Name).Str("algorithm", t.Algorithm()).Str("cards", t.Cards).Str("device", where).
		Int("threads", t.Threads(f.threads)).Int("information_sets", t.InfoSets).Str("tables", memory.Bytes(t.Bytes)).Msg("training")
	if !t.CanSave() {
		log.Warn().Msg("the strategy is too large for a file: it is only evaluated, and an interruption loses it")
	}
	session, p, err := f.train(cmd, t, options)
	failed, _ := errors.AsType[*train.SaveError](err)
	if err != nil && failed == nil {
		return err
	}
	result := trained{
		Game: game.Name, Algorithm: t.Algorithm(), Abstraction: t.Cards, Actions: spec.Actions.Meta(), InfoSets: t.InfoSets, Bytes: t.Bytes,
		Iterations: p.Iterations, Seconds: session.Meta().Seconds, Values: p.Evaluation.Value,
		Exploitability: session.StrategyMeta(p).Exploitability, Unit: "chips", File: f.output, AverageUtility: t.AverageUtility(),
	}
	if inGame {
		result.Values, result.Real = nil, true
	}
	if game.NumPlayers > 2 && result.Exploitability != nil {
		x := p.Evaluation.NashConv()
		result.Exploitability, result.NashConv = nil, &x
	}
	if failed != nil && failed.Strategy != nil || !t.CanSave() {
		result.File = ""
	} else if !t.CanEvaluate() && t.CanRespond() && !f.noResponse && cmd.Context().Err() == nil {
		log.Info().Str("file", f.output).Msg("saved")
		result.Response, err = cli.Phase(cmd, learningResponse, func(progress func(part float64)) (*train.Response, error) {
			return t.Respond(cmd.Context(), progress)
		})
		if err != nil && cmd.Context().Err() == nil { // an interruption only loses the response
			return err
		}
	}
	curve := curveFile{path: f.curve, game: game}
	noCurve := curve.update(session.Meta().Curve)
	if err := result.print(cmd.OutOrStdout(), game, f.json); err != nil {
		return err
	}
	if failed != nil {
		return usererr.WithHint(failed, hintFullDisk(failed))
	}
	if noCurve != nil {
		return noCurve
	}
	if f.plot == "" {
		return nil
	}
	return saveTraining(game, session.Meta(), f.plot)
}

// learningResponse is the phase in which a response to a strategy is learned.
const learningResponse = "learning a response"

// checkOutput refuses to replace what this training did not write, as far as that is known
// before the cards are prepared.
func (f *trainFlags) checkOutput() error {
	if !isStrategy(f.output) {
		return cli.Replaceable(f.output, "-o FILE", f.force)
	}
	if f.fresh {
		return nil
	}
	if _, err := os.Stat(f.output + train.CheckpointSuffix); errors.Is(err, fs.ErrNotExist) {
		return usererr.WithHint(fmt.Errorf("%s is a strategy without a checkpoint to continue from", f.output), hintFresh)
	}
	return nil
}
