package main

import (
	"github.com/spf13/cobra"

	"gamebots/cmd/internal/cli"
)

func newSolve() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "solve",
		Short: "Find the best play in a game, all equilibria, or a long snake",
		Long: `solve finds the best play in a game, its equilibria, or the best solution of a
puzzle. There is a command for each.`,
		Example: `  gamebots solve poker --spot river-bluffs
  gamebots solve nash game.nfg
  gamebots solve correlated game.nfg
  gamebots solve extensive game.efg
  gamebots solve nim 1,3,5,7
  gamebots solve havannah --side 3
  gamebots solve snake --dimension 8 --level 2`,
	}
	cli.LeadsTo(cmd, newSolvePoker(), newSolveNash(), newSolveCorrelated(), newSolveExtensive(), newSolveNim(), newSolveHavannah(), newSolveSnake())
	return cmd
}
