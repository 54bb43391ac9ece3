package main

import (
	"fmt"
	"os"

	"gamebots/acpc/dealer"
	"gamebots/configs"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
)

func newReplay() *cobra.Command {
	game := ""
	cmd := &cobra.Command{
		Use:   "replay LOG --game GAME",
		Short: "Verify a poker dealer's log",
		Long: `replay replays the matches of a dealer's log and verifies every line: the cards
against the seed, the actions against the rules, the text of the betting, the
chips, the rotation of the seats and the score. It fails at the first
difference.`,
		Example: `  gamebots replay demo.log --game leduc`,
		Args:    arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if game == "" {
				return usererr.WithHint(usererr.Usagef("replay needs the game of the log"), "give --game with a name that gamebots games lists, or a file")
			}
			g, err := configs.Game(game)
			if err != nil {
				return err
			}
			f, err := os.Open(args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			matches, err := dealer.Replay(args[0], f, g)
			for _, m := range matches {
				fmt.Fprintf(cmd.OutOrStdout(), "%s: %d hands of seed %d, %s\n", m.Name, m.Hands, m.Seed, m.Score)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&game, "game", "", "game of the matches: a shipped game's name or a file")
	return cmd
}
