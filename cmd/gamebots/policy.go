package main

import (
	"context"
	"errors"
	"path/filepath"

	"gamebots/bots/judge/agent"
	"gamebots/bots/poker"
	"gamebots/bots/poker/resolving"
	"gamebots/cmd/gamebots/internal/strategies"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/memory"
	"gamebots/internal/parallel"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/nash/extensive"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// policyFlags are the flags of policy.
type policyFlags struct {
	style      poker.Style
	solve      strategies.SolvingFlags
	game       string
	iterations uint64
	memory     cli.Bytes
}

func newPolicy() *cobra.Command {
	var f policyFlags
	cmd := command("policy", "policy FILE",
		"Answer other programs how a strategy plays, as JSON lines", cli.Arguments(1, 1))
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) }
	flags := cmd.Flags()
	flags.BoolVar(&f.style.Purify, "purify", false, "always play the most probable action")
	flags.Var(cli.Probability(&f.style.Threshold), "threshold", "drop actions with a smaller probability")
	f.solve.Add(flags, "solve")
	flags.StringVar(&f.game, "game", "", "the `GAME` of a profile in JSON that does not say it")
	flags.Uint64Var(&f.iterations, "iterations", defaultIterations,
		"of an extensive game: train it in this many iterations")
	cli.AddMemory(flags, &f.memory)
	return cmd
}

func (f *policyFlags) run(cmd *cobra.Command, name string) error {
	by, end, err := f.open(cmd, name)
	if err != nil {
		return err
	}
	defer end()
	ctx := cmd.Context()
	return agent.Serve(ctx, cli.Reader(ctx, cmd.InOrStdin()), cmd.OutOrStdout(), by)
}

// open opens what is asked. End closes it.
func (f *policyFlags) open(cmd *cobra.Command, name string) (by agent.Answerer, end func(), err error) {
	given := cmd.Flags().Changed
	if err := f.solve.Check(cmd.Flags()); err != nil {
		return nil, nil, err
	}
	if isProfile(name) {
		if err := onlyFlags(cmd, "has no effect on a profile", "game"); err != nil {
			return nil, nil, err
		}
		g, profile, err := openProfile(cmd, name, f.game)
		return &agent.Profile{Game: g, Profile: profile}, func() {}, err
	}
	tree, err := openTree(cmd, name)
	switch {
	case err != nil:
		return nil, nil, err
	case given("game"):
		return nil, nil, usererr.Usagef("--game is for profiles in JSON, and %s is none", name)
	case tree != nil && (f.style != (poker.Style{}) || given("solve")):
		return nil, nil, usererr.Usagef("--purify, --threshold and --solve are for strategies of poker")
	case tree != nil:
		by, err = f.train(cmd.Context(), tree)
		return by, func() {}, err
	case given("iterations"):
		return nil, nil, usererr.Usagef("--iterations is for extensive games: %s is trained already", name)
	}
	file, err := strategies.File(name)
	if err != nil {
		return nil, nil, err
	}
	solving := f.solve.Poker()
	p, err := strategies.OpenSolved(cmd, file, solving, f.memory.Or(memory.Available))
	if err != nil {
		return nil, nil, err
	}
	whole, err := solving.Prepare(p, memory.Available())
	if err != nil {
		return nil, nil, errors.Join(err, p.Close())
	}
	player, err := resolving.NewHandStrategy(whole, f.style, solving)
	if err != nil {
		return nil, nil, errors.Join(err, p.Close())
	}
	s := &agent.Strategy{
		Name: filepath.Base(file), Policy: whole, Style: f.style, Player: player, Solves: solving.Iterations > 0,
	}
	return s, func() { p.Close() }, nil
}

// train trains all players of an extensive game.
func (f *policyFlags) train(ctx context.Context, tree *train.Tree) (agent.Answerer, error) {
	r, err := parallel.Await(ctx, func() (*extensive.Report, error) {
		return tree.Train(ctx, train.DefaultTreeAlgorithm, 0, f.iterations, func(uint64) {})
	})
	if err != nil {
		return nil, hintRecall(err)
	}
	var gains []float64
	for _, gain := range r.Gains {
		x, _ := gain.Float64()
		gains = append(gains, x)
	}
	zerolog.Ctx(ctx).Info().Str("algorithm", r.Method).Uint64("iterations", r.Iterations).
		Floats64("gains", gains).Msg("trained")
	return &agent.Profile{Game: tree.Game, Profile: r.Profile}, nil
}
