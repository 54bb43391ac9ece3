package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

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
	memory                          bytesFlag
	device                          cudalib.Choice
	fresh, force, noResponse        bool
	real, json, compact, dryRun     bool
}

func newTrain() *cobra.Command {
	var f trainFlags
	cmd := &cobra.Command{
		Use:   "train GAME",
		Short: "Train a strategy for a poker game",
		Long: `train finds a strategy for a poker game by counterfactual regret minimisation,
and writes it to a file that play and evaluate read. GAME is the name of a
shipped game (see gamebots games) or a game definition file.

It stops when one of --iterations, --time and --target is reached; the default
is ` + strconv.Itoa(defaultIterations) + ` iterations. Ctrl-C or SIGTERM also stops it, after the current
iteration, and saves the strategy so far if it has 100 iterations. A second
Ctrl-C ends at once; the last checkpoint remains.

Checkpoints are saved beside the strategy, in FILE.checkpoint, from time to time
and at the end. The same command, or one with a further goal, continues from
there, with the same result, to the bit, as without an interruption. --time
counts the training of all runs together, but neither the preparation of cards
nor the learning of a response. With --checkpoint START,MULT,ADD the first
checkpoint is saved after START, and each later one at MULT times the time of
the previous one, plus ADD.

With --compact, for linear-pcs, pcs+ and public-cfr-br, a checkpoint keeps the
average strategy in fifteenths, and the sums of strategies and of positive
regrets as powers of four: 36 MB in hold'em with 3000 buckets a round, a tenth
of the size. Training can continue from it, on another machine, too, but not to
the same bits, because negative regrets are lost.

train refuses to replace another training's strategy or checkpoint, or a
strategy without its checkpoint, unless --fresh is given, and to replace a file
that is not a strategy unless --force is given. Two trainings cannot write to
one file.

Algorithms that visit all cards in each iteration, without random choices:
  dcfr      discounted CFR; dcfr(1.5,0,2) sets its alpha, beta and gamma, here
            to their defaults
  cfr+      CFR+ with linear averaging
  dcfr+     discounted CFR with the floor of CFR+: no regret is negative
  linear    linear CFR
  cfr       the original CFR
  pcfr+     predictive CFR+ with quadratic averaging
  cfr-br    against exact best responses

Algorithms that sample a part of the game in each iteration, for games too large
for the others:
  external, outcome, chance, self-public, opponent-public, public
            the sampling schemes of the literature. external(64), or --batch 64,
            does 64 iterations at once, on several threads;
            linear-external(64) also counts the k-th batch k times. Without a
            number, external does as many at once as suits the size of the game,
            and the others do one, on one thread
  linear-pcs, pcs+
            public chance sampling for two-player games with any buckets: all
            boards in a random order, with all hands of a board at once, in
            batches of 64, as in linear-pcs(64). linear-pcs counts the k-th
            batch k times. pcs+ sets negative regrets to zero after a batch, as
            cfr+ does, and learns more from a board
  public-cfr-br
            CFR-BR for two-player limit games with two rounds or more: an
            iteration samples a board of all rounds but the last. The opponent
            of the trained player sees all cards and plays the best response in
            the last two rounds. The exploitability in the game itself
            converges to the least that the buckets allow. --start begins with
            a strategy of linear-pcs or pcs+
  racing-external
            external on all threads without a fixed order of updates: fastest on
            many processors, but two runs give different strategies
  recursive, iterative, reis-gpu
            the programs of Reis (2015): each iteration deals once and updates
            all players; reis-gpu runs on a GPU if there is one
  deals     deals(256) updates all players for 256 deals at once, on the CPU or
            a GPU

On a GPU, two-player games with one or two hole cards can be trained by the
algorithms of the first list except cfr-br, and by linear-pcs and pcs+; limit
games also by public-cfr-br; and any game by deals and reis-gpu. The bits and
checkpoints are those of the CPU. public, too, can train two-player games there,
with the same strategies except for rounding. --device auto uses a GPU if there
is one and the game is large enough to gain by it, and logs the reason; cuda and
cuda:N fail without a GPU. With cuda:all, all GPUs share a training by
linear-pcs or pcs+, and two share one by public-cfr-br.

All algorithms but racing-external give the same bits for any number of threads
and the same --seed.

Hold'em with 52 cards and four rounds needs a card abstraction. --abstraction
quick has 169 / 50 / 50 / 50 buckets by expected hand strength, which are
computed once, in about ten seconds, and kept in the user's cache;
quick(100,100,200) sets the numbers for flop, turn and river. gamebots abstract
makes more and better buckets: give its file to --abstraction. The strategy
contains them, so that it is played without that file.

With --opponent-abstraction, for linear-pcs and pcs+, each player is trained
against an opponent with another card abstraction, such as one with more
buckets. Two trainings, one for each player, are joined in one strategy
(docs/training.md).

No-limit games are trained with the few raises of --actions. fcpa is fold, call,
pot and all-in; "all" is all raises, for small games only. In general, parts are
separated by semicolons, and each overrides those before it for the rounds and
players that it names:
  --actions '0.5,1,a; flop: 0.33,0.75,a/1,a; p2 turn river: min,3x,1,a/a/-'
A list of raises is for the first bet of a round, the one after a / for the
first raise, and so on; the last one is for all further raises. A raise is
  0.75   a fraction of the pot, as it is after calling; h is 0.5, p is 1
  3x     to a multiple of the bet, or of the big blind where there is no bet
  2.5bb  to big blinds in this round
  min    the smallest legal raise
  a      all-in
and - is no raise. Folds and calls are always possible. A file in TOML can say
the same (configs/menus/lean.toml). --dry-run prints how large the game becomes.
In play, any other bet is mapped to one of the two nearest.

With --opponent-actions, for linear-pcs and pcs+, each player is trained against
an opponent with other raises, usually more, which it then need not map. Two
trainings are joined as with --opponent-abstraction.

With --forgetful a strategy forgets the betting of earlier rounds, except what
every player has put in, who has folded, and who raised last in the previous
round. Large games, above all those of more than two players, train far faster
in this way, by external or another sampling.

Exploitability is what a best response wins from the strategy, in chips a hand,
averaged over the seats; for more than two players it is NashConv divided by
their number. The suffix mb means thousandths of the largest blind or ante.
Exploitability is that of the abstract game, which has no other bets. For
hold'em with quick cards only a lower bound is computed: the winnings of a
response that is learned by sampling after the training, in up to a minute.
--no-response skips this; gamebots evaluate --learned does it later.

With --real such strategies, too, are evaluated exactly: by best responses in
the game itself, as by gamebots evaluate --real, after 1000 iterations, then
each time their number has grown fourfold, and at the end. This is possible for
two-player limit games. In hold'em it takes minutes each time on a GPU, and
hours on a CPU. --device auto uses a GPU for it if there is one, even if the
training is on the CPU.

--storage 16 stores regrets and strategies in 16 bits, for games that would not
fit otherwise; it costs precision, but hardly any in sampling
(docs/training.md). Memory is estimated beforehand, and a game that does not fit
is refused.

A two-player limit game that does not fit in any other way is trained board by
board on a GPU, by dcfr+ in 16 bits: holdem-limit-20 takes 83 GiB. Such a
strategy is too large for a file; it is evaluated on the GPU, and --curve keeps
the results.`,
		Example: `  gamebots train leduc
  gamebots train kuhn --algorithm cfr+ --iterations 10000 -o kuhn.strategy
  gamebots train leduc --target 1mb
  gamebots train holdem-limit-2p --abstraction quick --time 10m
  gamebots train holdem-limit-3p --abstraction quick --forgetful --time 10m
  gamebots train holdem-limit-20 --device cuda --time 9m \
    --curve holdem-limit-20.csv
  gamebots train holdem-limit-2p --abstraction 9000.buckets \
    --algorithm 'pcs+(128)' --device cuda --time 9m
  gamebots train holdem-nolimit-2p --abstraction quick --actions lean --dry-run
  gamebots train holdem-nolimit-2p --abstraction quick \
    --algorithm 'pcs+(16)' --actions fcpa --opponent-actions blueprint --time 1h
  gamebots train holdem-limit-12 --abstraction 12.buckets \
    --algorithm public-cfr-br --start pcs.strategy.checkpoint --iterations 2000
  gamebots train rhode-island --time 30s --threads 2 --plot convergence.svg
  gamebots train holdem-limit-2p --abstraction quick --iterations 10000000 \
    --real --plot real.svg`,
		Args: arguments(1, 1),
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
	addThreads(flags, &f.threads, "threads to use; the result is the same for any number")
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
	release, err := hold(f.output, "-o")
	if err != nil {
		return err
	}
	defer release()
	if err := f.checkOutput(); err != nil {
		return err
	}
	log := zerolog.Ctx(cmd.Context())
	t, err := interruptiblePhase(cmd, preparingCards, func(progress func(part float64)) (*train.Training, error) {
		return train.Open(spec, train.Options{Threads: f.threads, Memory: f.memory.or(memory.Available), OnPrepare: progress, OnDevice: !f.device.CPU()})
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
		result.Response, err = interruptiblePhase(cmd, learningResponse, func(progress func(part float64)) (*train.Response, error) {
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
		return replaceable(f.output, "-o FILE", f.force)
	}
	if f.fresh {
		return nil
	}
	if _, err := os.Stat(f.output + train.CheckpointSuffix); errors.Is(err, fs.ErrNotExist) {
		return usererr.WithHint(fmt.Errorf("%s is a strategy without a checkpoint to continue from", f.output), hintFresh)
	}
	return nil
}
