package main

import (
	"context"
	"errors"
	"fmt"

	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"
	"gamebots/solvers/nash/correlated"
	"gamebots/solvers/nash/game"

	"github.com/spf13/cobra"
)

// correlatedFlags are the flags of solve correlated.
type correlatedFlags struct {
	gameSource
	coarse   bool
	maximize string
	distance string
	json     bool
}

func newSolveCorrelated() *cobra.Command {
	var f correlatedFlags
	cmd := explain(&cobra.Command{
		Use:   "correlated [GAME]",
		Short: "Find the best correlated equilibrium of a game",
		Args:  cli.Arguments(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := f.gameSource.read(cmd, args)
			switch {
			case err != nil:
				return err
			case f.distance == "":
				return f.solve(cmd, g)
			case cmd.Flags().Changed("maximize"):
				return usererr.Usagef("--maximize has no effect with --distance")
			}
			return f.measure(cmd, g)
		},
	}, "solve_correlated")
	flags := cmd.Flags()
	f.gameSource.add(flags)
	flags.BoolVar(&f.coarse, "coarse", false, "coarse correlated equilibria")
	flags.StringVar(&f.maximize, "maximize", "welfare",
		"objective: welfare, any, or weights of players' payoffs, as 1,0,-1/2")
	flags.StringVar(&f.distance, "distance", "", "say how far the distribution in this file is from an equilibrium")
	flags.BoolVar(&f.json, "json", false, "print the result as one JSON object")
	cli.Settings(cmd, "low", "high")
	return cmd
}

func (f *correlatedFlags) kind() correlated.Kind {
	if f.coarse {
		return correlated.Coarse
	}
	return correlated.Correlated
}

// solve finds, verifies and prints an equilibrium.
func (f *correlatedFlags) solve(cmd *cobra.Command, g *game.NormalForm) error {
	objective, err := correlated.ParseObjective(g, f.maximize)
	if err != nil {
		return usererr.Usagef("--maximize: %w", err)
	}
	s, err := correlated.Solve(cmd.Context(), g, f.kind(), objective)
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New("interrupted before an equilibrium was proved")
	case err != nil:
		return err
	}
	if err := s.Verify(g, objective); err != nil {
		return fmt.Errorf("not verified: %w", err)
	}
	if f.json {
		return s.WriteJSON(cmd.OutOrStdout(), g, f.maximize)
	}
	return s.WriteText(cmd.OutOrStdout(), g, f.maximize)
}

// measure prints how far the distribution of a file is from an equilibrium.
func (f *correlatedFlags) measure(cmd *cobra.Command, g *game.NormalForm) error {
	_, text, err := readGame(cmd.InOrStdin(), f.distance)
	if err != nil {
		return err
	}
	probability, err := correlated.ReadDistribution(g, text)
	if err != nil {
		return fmt.Errorf("%s: %w", f.distance, err)
	}
	gap, err := correlated.Distance(g, f.kind(), probability)
	if err != nil {
		return fmt.Errorf("%s: %w", f.distance, err)
	}
	if f.json {
		return gap.WriteJSON(cmd.OutOrStdout(), f.kind())
	}
	return gap.WriteText(cmd.OutOrStdout(), f.kind())
}
