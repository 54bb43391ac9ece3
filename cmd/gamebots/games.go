package main

import (
	"fmt"
	"text/tabwriter"

	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/solvers/nash/extensive"

	"github.com/spf13/cobra"
)

func newGames() *cobra.Command {
	cmd := command("games", "games", "List the games that come with the program", cli.Arguments(0, 0))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
		for _, name := range configs.Games() {
			fmt.Fprintf(table, "%s\t%s\n", name, configs.GameTitle(name))
		}
		for _, f := range extensive.Families {
			fmt.Fprintf(table, "%s-N\t%s\n", f.Name, f.Title())
		}
		return table.Flush()
	}
	return cmd
}
