package main

import (
	"github.com/spf13/cobra"

	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"
)

func newSolve() *cobra.Command {
	cmd := explain(&cobra.Command{
		Use:   "solve",
		Short: "Find the best play in a game, all equilibria, or a long snake",
	}, "solve")
	cli.LeadsTo(cmd, newSolvePoker(), newSolveNash(), newSolveExtensive(), newSolveNim(), newSolveHavannah(),
		newSolveSnake(), newGone("correlated"))
	return cmd
}

// newGone returns a command of solve that only says that it went.
func newGone(name string) *cobra.Command {
	const went = "went with 0.3.0 (the last commit with it is 5b68c516)"
	return &cobra.Command{
		Use: name, Short: went, Long: went, Example: "  gamebots solve " + name, Hidden: true, DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usererr.Usagef("%s %s", cmd.CommandPath(), went)
		},
	}
}
