package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"gamebots/bots/judge/agent"
	"gamebots/bots/poker"
	"gamebots/bots/poker/resolving"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
)

// policyFlags are the flags of policy.
type policyFlags struct {
	style  poker.Style
	solve  solvingFlags
	game   string
	memory cli.Bytes
}

func newPolicy() *cobra.Command {
	var f policyFlags
	cmd := command("policy", "policy FILE",
		"Answer other programs how a strategy plays, as JSON lines", cli.Arguments(1, 1))
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) }
	flags := cmd.Flags()
	f.solve.Add(flags, "solve")
	cli.Bind(cmd, "purify", &f.style.Purify, "threshold", cli.Probability(&f.style.Threshold), "game", &f.game,
		"memory", &f.memory)
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
	case tree != nil:
		return nil, nil, usererr.WithHint(fmt.Errorf("%s is a game, not a strategy for one", name),
			"gamebots train "+cli.Quoted(name)+" writes a profile in JSON, which has one for each player")
	case f.game != "":
		return nil, nil, usererr.Usagef("--game is for profiles in JSON, and %s is none", name)
	}
	solving := f.solve.Poker()
	p, err := openStrategy(cmd, name, nil, solving, f.memory.Or(memory.Available))
	if err != nil {
		return nil, nil, err
	}
	player, err := resolving.NewHandStrategy(p, f.style, solving)
	if err != nil {
		return nil, nil, errors.Join(err, p.Close())
	}
	s := &agent.Strategy{
		Name: filepath.Base(name), Policy: p, Style: f.style, Player: player, Solves: solving.Iterations > 0,
	}
	return s, func() { p.Close() }, nil
}
