package main

import (
	"github.com/spf13/cobra"

	"gamebots/cmd/internal/cli"
)

func newSolve() *cobra.Command {
	cmd := explain(&cobra.Command{
		Use:   "solve",
		Short: "Find the best play in a game, all equilibria, or a long snake",
	}, "solve")
	cli.LeadsTo(cmd, newSolvePoker(), newSolveNash(), newSolveExtensive(), newSolveNim(), newSolveHavannah(),
		newSolveSnake())
	return cmd
}
