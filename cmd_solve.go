package main

import "github.com/spf13/cobra"

func newSolve() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "solve",
		Short:   "Search a puzzle for its best solution",
		Long:    `solve searches a puzzle, or a game, for the best that can be done in it.`,
		Example: `  gamebots solve snake --dimension 8 --level 2`,
	}
	leadsTo(cmd, newSolveSnake())
	return cmd
}
