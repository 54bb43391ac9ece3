package main

import "github.com/spf13/cobra"

func newSolve() *cobra.Command {
	return group("solve", "Find the best play in a game, all equilibria, or a long snake", newSolvePoker(),
		newSolvePreflop(), newSolveNash(), newSolveExtensive(), newSolveNim(), newSolveHavannah(), newSolveSnake())
}
