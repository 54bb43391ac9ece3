package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"gamebots/acpc"
	"gamebots/acpc/hand"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"

	"github.com/spf13/cobra"
)

func newGames() *cobra.Command {
	return explain(&cobra.Command{
		Use:   "games",
		Short: "List the poker games that come with the program",
		Args:  cli.Arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, name := range configs.Games() {
				fmt.Fprintf(table, "%s\t%s\n", name, configs.GameTitle(name))
			}
			return table.Flush()
		},
	}, "games")
}

// summary describes a game in one line.
func summary(g *acpc.Game) string {
	betting := "limit"
	if g.Betting == acpc.NoLimit {
		betting = "no-limit"
	}
	suits := fmt.Sprintf("%d suits", g.NumSuits)
	if g.NumSuits == 1 {
		suits = "1 suit"
	}
	board := strings.Trim(fmt.Sprint(g.NumBoardCards[:g.NumRounds]), "[]")
	line := fmt.Sprintf("%d players, %s, %d-card deck, %s, hole cards %d, board cards by round %s",
		g.NumPlayers, betting, g.NumSuits*g.NumRanks, suits, g.NumHoleCards, board)
	if g.HandRanking != hand.ACPC {
		line += fmt.Sprintf(", hand ranking %v", g.HandRanking)
	}
	return line
}
