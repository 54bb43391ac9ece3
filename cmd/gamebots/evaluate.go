package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"gamebots/cmd/gamebots/internal/figures"
	"gamebots/cmd/gamebots/internal/gridflags"
	"gamebots/cmd/gamebots/internal/strategies"
	"gamebots/cmd/internal/cli"
	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/ondevice"
	"gamebots/solvers/evaluate/bestresponse"
	"gamebots/solvers/policy"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

func newEvaluate() *cobra.Command {
	asJSON, threads, limit, device := false, 0, cli.Bytes(0), cudalib.Choice{}
	var f logFlags
	var real realFlags
	var learned learnedFlags
	var local lbrFlags
	var share gridflags.Flags
	cmd := &cobra.Command{
		Use:   "evaluate [FILE]",
		Short: "Compute how good a strategy is, or estimate a player's winnings",
		Long: `evaluate reads and verifies a strategy, and computes how good it is. FILE is a
strategy file or the name of a game, for the strategy that comes with the
program.

It prints, in chips a hand, the value of the game when all players follow the
strategy, what a best response of each player wins against it, and the
exploitability: the mean of these. For more than two players it prints NashConv,
the sum of what each could gain by deviating alone. If the strategy knows only
some raises, these are values of the abstract game. Strategies with buckets, as
those of hold'em that come with the program, need one of the other modes:
  --real           what best responses win in the game itself, exactly: they see
                   all cards. For two-player limit games; in hold'em it takes
                   minutes on a GPU, or hours on a CPU
  --real --sample  a lower bound of that, from --boards boards or for --time
  --learned        a lower bound of exploitability in the abstract game, by
                   responses that are learned in minutes; for any number of
                   players and any cards
  --lbr ACTIONS    a lower bound of exploitability in the game itself, by a
                   local best response; for two-player games, above all no-limit
                   ones. fc only folds and calls, fcpa and 56 also raise
  --log FILE       the winnings of --player in a dealer's log or a PHH file,
                   counted, and estimated by AIVAT without the luck of the cards

--real, --learned and --lbr evaluate a strategy as it is played: --purify and
--threshold have the same meaning as in gamebots play acpc. --real and --lbr
accept --bot call, raise, fold or half with --game, instead of a file.

With --save FILE, --real continues after an interruption. --device selects a
GPU, and --nats shares the work with machines that run gamebots work; the
results are the same, to the bit.

More: docs/exploitability.md, docs/estimator.md`,
		Example: `  gamebots evaluate leduc.strategy
  gamebots evaluate leduc.strategy --json
  gamebots evaluate holdem-limit-flop.strategy --device cuda
  gamebots evaluate rhode-island.strategy --nats embedded
  gamebots evaluate leduc.strategy --log match.log --player Alice
  gamebots evaluate holdem-limit-2p --learned --iterations 1000000
  gamebots evaluate holdem-limit-2p --real --device cuda --save limit.real
  gamebots evaluate holdem-limit-2p --real --sample --time 10m
  gamebots evaluate --bot fold --game holdem-limit-2p --real
  gamebots evaluate holdem-nolimit-2p --lbr 56`,
		Args: cli.Arguments(0, 1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			for i := range args {
				if args[i], err = strategies.File(args[i]); err != nil {
					return err
				}
			}
			if err := real.check(cmd, args); err != nil {
				return err
			}
			if err := learned.check(cmd.Flags()); err != nil {
				return err
			}
			if err := local.check(cmd.Flags()); err != nil {
				return err
			}
			if err := share.Check(); err != nil {
				return err
			}
			if err := f.check(cmd.Flags()); err != nil {
				return err
			}
			if local.menu != "" {
				local.style, local.seed, local.bot, local.game = f.style, real.sample.seed, real.bot, real.game
				local.share, local.threads, local.memory, local.asJSON = share, threads, limit, asJSON
				if local.device = cudalib.CPU(); cmd.Flags().Changed("device") {
					local.device = device
				}
				return evaluateLBR(cmd, args, local)
			}
			if learned.on {
				learned.style, learned.seed, learned.memory, learned.asJSON = f.style, real.sample.seed, limit, asJSON
				return evaluateLearned(cmd, args[0], learned)
			}
			if real.real {
				real.style, real.device, real.share, real.threads, real.memory, real.asJSON = f.style, device, share, threads, limit, asJSON
				return evaluateReal(cmd, args, real)
			}
			if len(f.logs) > 0 {
				f.solve, f.threads, f.memory, f.asJSON = local.solve, threads, limit, asJSON
				return evaluateLogs(cmd, args[0], f)
			}
			if err := needMode(cmd); err != nil {
				return err
			}
			if share.NATS != "" && device.GPU() {
				return usererr.Usagef("--nats: work that is shared with other machines is done on CPUs")
			}
			p, err := strategies.Open(cmd, args[0], limit.Or(memory.Available))
			if err != nil {
				return err
			}
			defer p.Close()
			tree := p.Tree
			if err := cfr.CheckCards(p); err != nil { // before the whole tree of a forgetful strategy, which takes gigabytes
				return usererr.WithHint(err, otherValues(tree))
			}
			layout, err := cli.Interruptible(cmd.Context(), func() (layout *cfr.Layout, err error) {
				if p, err = p.Full(limit.Or(memory.Available)); err == nil {
					layout, err = cfr.LayoutOf(p, limit.Or(memory.Available))
				}
				return layout, err
			})
			if errors.As(err, new(*policy.SizeError)) {
				return usererr.WithHint(err, otherValues(tree))
			}
			if err != nil {
				return err
			}
			weights, err := p.Weights()
			if err != nil {
				return err
			}
			var e cfr.Evaluation
			where := "a grid"
			if share.NATS == "" || layout.Pieces() == 0 {
				bar := cli.NewPartBar(cmd.ErrOrStderr(), zerolog.Ctx(cmd.Context()), "evaluating")
				stop := bar.Tick()
				e, err = cli.Interruptible(cmd.Context(), func() (e cfr.Evaluation, err error) {
					e, where, err = evaluateOn(device, layout, weights, threads)
					return e, err
				})
				stop()
				bar.Close()
			} else {
				e, err = share.Evaluate(cmd.Context(), args[0], layout, weights, threads)
			}
			if err != nil {
				return err
			}
			zerolog.Ctx(cmd.Context()).Debug().Str("device", where).Msg("evaluated")
			if asJSON {
				return printEvaluationJSON(cmd.OutOrStdout(), p, e)
			}
			return printEvaluation(cmd.OutOrStdout(), p, e)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cli.AddThreads(cmd.Flags(), &threads, "threads to use")
	cli.AddDevice(cmd.Flags(), &device, "where to evaluate: auto, cpu, cuda, cuda:N, or cuda:all with --real")
	cmd.Flags().Var(&limit, "memory", "memory limit, as in 8GiB (default all available memory)")
	cmd.Flags().StringArrayVar(&f.logs, "log", nil, "estimate a player's winnings in this log, a dealer's or PHH `FILE` (may be repeated)")
	cmd.Flags().StringVar(&f.player, "player", "", "the player of the logs that had the strategy")
	cmd.Flags().BoolVar(&f.style.Purify, "purify", false, "the player always played the most probable action")
	cmd.Flags().Var(cli.Probability(&f.style.Threshold), "threshold", "the player dropped actions with a smaller probability")
	cmd.Flags().StringVar(&f.other, "against", "", "the strategy file of the other player, or of all others")
	cmd.Flags().BoolVar(&f.against.Purify, "against-purify", false, "as --purify, for the strategy of --against")
	cmd.Flags().Var(cli.Probability(&f.against.Threshold), "against-threshold", "as --threshold, for the strategy of --against")
	cmd.Flags().BoolVar(&real.real, "real", false, "compute exact best responses in the game itself")
	cmd.Flags().StringVar(&real.bot, "bot", "", "with --real or --lbr: answer this simple strategy: call, raise, fold or half")
	cmd.Flags().StringVar(&real.game, "game", "", "with --bot: a `GAME` file or the name of a shipped game")
	cmd.Flags().StringVar(&real.save, "save", "", "with --real: keep finished boards in this `FILE`, and continue from it")
	real.sample.add(cmd.Flags())
	learned.add(cmd.Flags())
	local.add(cmd.Flags())
	share.Add(cmd.Flags())
	return cmd
}

// otherValues is the advice for a strategy of a tree without exact best responses in the
// abstract game, or whose game is too large for them.
func otherValues(t *betting.Tree) string {
	hint := "--learned gives a lower bound in the abstract game"
	if t.Game.NumPlayers == 2 {
		hint += ", --lbr one in the game itself"
	}
	if bestresponse.Check(t) == nil {
		hint += "; --real computes the exact value there, --real --sample bounds it sooner"
	}
	return hint + "; --log estimates what it won in a dealer's log"
}

// evaluateOn evaluates a strategy on the chosen device, and describes the device that
// was used.
func evaluateOn(choice cudalib.Choice, l *cfr.Layout, weights []float32, threads int) (cfr.Evaluation, string, error) {
	where := ""
	if worthwhile, reason := ondevice.Worthwhile(l); !worthwhile && !choice.GPU() {
		where = "the CPU: " + reason
	} else if d, text, err := choice.Open(); err != nil {
		return cfr.Evaluation{}, "", err
	} else if d == nil {
		where = text
	} else {
		e, err := valueOn(d, l, weights)
		if err = errors.Join(err, d.Close()); err == nil || choice.GPU() {
			return e, text, err
		}
		where = "the CPU: " + err.Error()
	}
	return cfr.NewEvaluator(l, threads).Evaluate(weights), where, nil
}

func valueOn(d *cudalib.Device, l *cfr.Layout, weights []float32) (cfr.Evaluation, error) {
	e, err := ondevice.NewEvaluator(d, l)
	if err != nil {
		return cfr.Evaluation{}, err
	}
	out, err := e.Evaluate(weights)
	return out, errors.Join(err, e.Close())
}

func printEvaluation(w io.Writer, p *policy.Policy, e cfr.Evaluation) error {
	g := p.Tree.Game
	name, x := "exploitability", e.Exploitability()
	if g.NumPlayers > 2 {
		name, x = "NashConv", e.NashConv()
	}
	fmt.Fprintf(w, "%s\nposition  value         best response\n", g.Name)
	for p := range e.Value {
		fmt.Fprintf(w, "%8d  %-12.6g  %.6g\n", p+1, e.Value[p], e.BestResponse[p])
	}
	_, err := fmt.Fprintf(w, "%s  %s\n", name, figures.Chips(x, g)+figures.Abstractly(p.Meta().Actions))
	return err
}

func printEvaluationJSON(w io.Writer, p *policy.Policy, e cfr.Evaluation) error {
	g, actions := p.Tree.Game, p.Meta().Actions
	if g.NumPlayers > 2 {
		return json.NewEncoder(w).Encode(struct {
			Game         string    `json:"game"`
			Values       []float64 `json:"values"`
			BestResponse []float64 `json:"best_response"`
			NashConv     float64   `json:"nash_conv"`
			Unit         string    `json:"unit"`
			Actions      string    `json:"actions,omitempty"`
		}{g.Name, e.Value, e.BestResponse, e.NashConv(), "chips", actions})
	}
	return json.NewEncoder(w).Encode(struct {
		Game           string    `json:"game"`
		Value          float64   `json:"value"`
		BestResponse   []float64 `json:"best_response"`
		Exploitability float64   `json:"exploitability"`
		Unit           string    `json:"unit"`
		Actions        string    `json:"actions,omitempty"`
	}{g.Name, e.Value[0], e.BestResponse, e.Exploitability(), "chips", actions})
}
