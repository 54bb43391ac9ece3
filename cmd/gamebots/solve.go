package main

import (
	"github.com/spf13/cobra"

	"gamebots/cmd/internal/cli"
)

func newSolve() *cobra.Command {
	cmd := command("solve", "solve", "Find the best play in a game, all equilibria, or a long snake", nil)
	cli.LeadsTo(cmd, newSolvePoker(), newSolvePreflop(), newSolveNash(), newSolveExtensive(), newSolveNim(),
		newSolveHavannah(), newSolveSnake())
	return cmd
}
