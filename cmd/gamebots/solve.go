package main

import "github.com/spf13/cobra"

func newSolve() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "solve",
		Short: "Solve a game, or search for the best solution of a puzzle",
		Long: `solve finds the best play in a game, or the best solution of a puzzle. There is
a command for each.`,
		Example: `  gamebots solve correlated game.nfg
  gamebots solve extensive game.efg
  gamebots solve havannah --side 3
  gamebots solve nash game.nfg
  gamebots solve nim 1,3,5,7
  gamebots solve poker --spot river-bluffs
  gamebots solve snake --dimension 8 --level 2`,
	}
	leadsTo(cmd, newSolveCorrelated(), newSolveExtensive(), newSolveHavannah(), newSolveNash(), newSolveNim(), newSolvePoker(), newSolveSnake())
	return cmd
}
