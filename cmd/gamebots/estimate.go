package main

import (
	"errors"
	"fmt"
	"iter"

	"gamebots/acpc/history"
	"gamebots/acpc/money"
	"gamebots/bots/arena/ratings"
	"gamebots/bots/files"
	"gamebots/bots/poker"
	"gamebots/bots/poker/resolving"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/evaluate/aivat"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// estimateFlags are the flags of estimate.
type estimateFlags struct {
	player  string
	style   poker.Style
	solve   solvingFlags
	other   string // strategy file
	threads int
	memory  cli.Bytes
	unit    money.Unit
	asJSON  bool
}

func newEstimate() *cobra.Command {
	var f estimateFlags
	cmd := command("estimate", "estimate STRATEGY LOG...",
		"Estimate what a player has won, without the luck of the cards", cli.Arguments(2, cli.AnyNumber))
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return f.estimate(cmd, args[0], args[1:]) }
	flags := cmd.Flags()
	f.solve.Add(flags, "the player solved")
	f.style.Purify = true
	cli.Bind(cmd, "player", &f.player, "purify", &f.style.Purify, "threshold", cli.Probability(&f.style.Threshold),
		"against", &f.other, "threads", cli.PerProcessor(&f.threads), "memory", &f.memory, "json", &f.asJSON,
		"unit", &f.unit)
	return cmd
}

// estimate prints the winnings of a strategy in logs, counted in chips and by AIVAT.
func (f *estimateFlags) estimate(cmd *cobra.Command, nameOrFile string, logs []string) error {
	if f.player == "" {
		return usererr.WithHint(usererr.Usagef("--player is missing"),
			"--player NAME says which player of the logs had the strategy")
	}
	if err := f.solve.Check(cmd.Flags()); err != nil {
		return err
	}
	known, closeKnown, err := f.strategy(cmd, nameOrFile, f.style, f.solve.Poker())
	if err != nil {
		return err
	}
	defer func() { _ = closeKnown() }()
	g := known.Tree.Game
	format, err := f.unit.In(g)
	if err != nil {
		return usererr.Usage(err)
	}
	other := known
	if f.other != "" {
		var closeOther func() error
		if other, closeOther, err = f.strategy(cmd, f.other, f.style, resolving.Options{}); err != nil {
			return err
		}
		defer func() { _ = closeOther() }()
	}
	for _, file := range logs {
		if err := files.CheckRecord(file); err != nil {
			return err
		}
	}
	// What is wrong with the logs is better known before the values, which take time.
	hands, err := ratings.Logged(cmd.Context(), f.player, warningOfDoubts(cmd, history.Hands(logs, g)))
	if err != nil {
		return err
	}
	estimator, err := aivat.New(known, other, f.other != "")
	if err != nil {
		return err
	}
	e, err := ratings.EstimateHands(cmd.Context(), estimator, f.threads, hands)
	if err != nil {
		return usererr.HintIf(err, aivat.ErrNotPlayed,
			fmt.Sprintf("the hands were played by another strategy, or in another style: try --purify=%t, and see "+
				"--threshold and --solve", !f.style.Purify))
	}
	if e.Inconsistent() {
		zerolog.Ctx(cmd.Context()).Warn().Str("player", f.player).
			Msg("the winnings and the estimate are further apart than luck explains: " +
				"did the player have this strategy, in this style?")
	}
	if f.asJSON {
		return cli.Print(cmd.OutOrStdout(), true, e.JSON(f.player, format))
	}
	return e.WriteText(cmd.OutOrStdout(), f.player, format)
}

// warningOfDoubts warns of the first few hands whose record is hardly right, when they are read first.
func warningOfDoubts(
	cmd *cobra.Command, hands iter.Seq2[*history.Hand, error],
) iter.Seq2[*history.Hand, error] {
	doubtful, again := newFew(cmd), false
	return func(yield func(*history.Hand, error) bool) {
		for h, err := range hands {
			if err == nil && h.Doubt != "" && !again {
				doubtful.warn().Err(errors.New(h.Doubt)).Msg("a doubtful hand")
			}
			if !yield(h, err) {
				return
			}
		}
		again = true
	}
}

// strategy reads the strategy of a player in a style, which may solve rounds in play. The caller closes it after the
// last estimate.
func (f *estimateFlags) strategy(
	cmd *cobra.Command, nameOrFile string, style poker.Style, solving resolving.Options,
) (s *aivat.Strategy, closeFile func() error, err error) {
	policy, err := openStrategy(cmd, nameOrFile, nil, solving, f.memory.Or(memory.Available))
	if err != nil {
		return nil, nil, err
	}
	if s, err = resolving.ForAIVAT(policy, style, solving); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%s: %w", nameOrFile, err), policy.Close())
	}
	return s, policy.Close, nil
}
