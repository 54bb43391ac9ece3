package main

import (
	"strconv"
	"strings"

	"gamebots/cmd/internal/cli"
	"gamebots/hexproto/server/database"

	"github.com/spf13/cobra"
)

func newServeGames(path *string) *cobra.Command {
	cmd := command("serve_games", "games", "List the running games of a server, and end one", nil)
	var account, loser string
	asJSON := false
	list := command("serve_games_list", "list", "List the running games of a server", cli.Arguments(0, 0))
	list.RunE = func(cmd *cobra.Command, _ []string) error {
		games, err := database.RunningGames(cmd.Context(), *path, account)
		if err != nil {
			return hintHost(err)
		}
		return printList(cmd.OutOrStdout(), asJSON, games,
			[]string{"ID", "RULES", "RATED", "CLOCK", "MOVES", "STARTED", "LAST MOVE", "PLAYERS"},
			func(g database.Game) []string {
				return []string{
					g.ID, g.Rules, yes(g.Rated), yes(g.Clock), strconv.Itoa(g.Moves),
					minute(g.Started), minute(g.Moved), strings.Join(g.Players, " "),
				}
			})
	}
	list.Flags().StringVar(&account, "account", "", "only the games of the account `NAME`")
	list.Flags().BoolVar(&asJSON, "json", false, "print one JSON array")
	end := command("serve_games_end", "end ID", "End a running game", cli.Arguments(1, 1))
	end.RunE = func(cmd *cobra.Command, args []string) error {
		return hintHost(database.OrderEnd(cmd.Context(), *path, args[0], loser))
	}
	end.Flags().StringVar(&loser, "loser", "", "the player `NAME` loses the game; without, it does not count")
	cli.LeadsTo(cmd, list, end)
	return cmd
}

// yes writes a truth for a table.
func yes(truth bool) string {
	if truth {
		return "yes"
	}
	return "no"
}
