package main

import (
	"cmp"
	"errors"
	"fmt"

	"gamebots/acpc"
	"gamebots/bots/poker/resolving"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/atomicfile"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve"
	"gamebots/solvers/resolve/spot"
	"gamebots/solvers/strategy"

	"github.com/spf13/cobra"
)

// preparingCards is the phase in which the cards of an abstraction are prepared.
const preparingCards = "preparing cards"

// openStrategy opens a strategy that a user named (see [strategyFile]) for a player that may solve rounds in play. The
// file may lack these. Without a game it is for the one that was named, or that of the file.
func openStrategy(
	cmd *cobra.Command, nameOrPath string, g *acpc.Game, solving resolving.Options, memory int64,
) (*policy.Policy, error) {
	p, err := openPart(cmd, nameOrPath, g, memory)
	if err != nil {
		return nil, err
	}
	prepared, err := solving.Prepare(p, memory)
	if err == nil {
		return prepared, nil
	}
	err = errors.Join(err, p.Close())
	switch cut := errors.As(err, new(*policy.CutError)); {
	case cut && solving.Iterations == 0:
		err = usererr.WithHint(fmt.Errorf("%s: %w", nameOrPath, err), "it is for a bot that solves the other rounds "+
			"in play, as play acpc --solve 300 --solve-from turn does in no-limit hold'em; gamebots show shows the "+
			"rounds that it has")
	case cut && p.Tree.Game.NumPlayers == 2 && resolve.NoLimitHoldem(p.Tree.Game):
		err = usererr.WithHint(err, "--solve-from turn solves the turn, too")
	case cut:
		err = usererr.WithHint(err, "take the whole strategy: only no-limit hold'em of two can do without rounds")
	case errors.As(err, new(*resolve.GameError)):
		err = usererr.WithHint(usererr.Usage(err),
			"without --solve, and bot.solve in settings, the strategy is played as it is")
	}
	return nil, err
}

// openPart opens a strategy that a user named and that may lack the last rounds, see [policy.OpenPart] and
// [policy.Policy.For].
func openPart(cmd *cobra.Command, nameOrPath string, g *acpc.Game, memory int64) (*policy.Policy, error) {
	file, named, err := strategyFile(nameOrPath)
	if err != nil {
		return nil, err
	}
	g = cmp.Or(g, named)
	p, err := cli.Phase(cmd, preparingCards, func(progress func(part float64)) (*policy.Policy, error) {
		return policy.OpenPart(file, memory, progress)
	})
	if err != nil || g == nil {
		return p, hintForeign(err, file)
	}
	played, err := p.For(g)
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return played, nil
}

// hintForeign says what to do about a file that is no strategy.
func hintForeign(err error, file string) error {
	switch {
	case err != nil && spot.IsSaved(file):
		return usererr.WithHint(fmt.Errorf("%s is a solved spot, not a strategy for a game", file),
			"gamebots show and gamebots solve poker --spot open it")
	case !errors.Is(err, strategy.ErrForeign):
		return err
	case atomicfile.Begins(file, checkpoint.Magic):
		return usererr.WithHint(err, "it is the checkpoint of a training, and the strategy is the file beside it "+
			"without .checkpoint")
	}
	return usererr.WithHint(err, "gamebots check "+cli.Quoted(file)+" says what it is")
}

// fillBuckets computes the buckets of all hands, see [policy.Policy.FillBuckets].
func fillBuckets(cmd *cobra.Command, p *policy.Policy, threads int) error {
	_, err := cli.Phase(cmd, preparingCards, func(progress func(part float64)) (any, error) {
		return nil, p.FillBuckets(cmd.Context(), threads, progress)
	})
	return err
}
