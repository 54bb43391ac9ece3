package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
	"gamebots/bots/convert"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
)

func newReplay() *cobra.Command {
	game := ""
	cmd := &cobra.Command{
		Use:   "replay LOG",
		Short: "Verify the log of a poker dealer",
		Long: `replay replays the matches of a dealer's log and verifies every line: the cards
against the seed, the actions against the rules, the text of the betting, the
chips, the rotation of the seats and the score. It fails at the first
difference. The game is the one that the header names, beside the log or among
the shipped games; --game overrides it.

More: docs/acpc-dealer.md`,
		Example: `  gamebots replay demo.log
  gamebots replay match.log --game my.game`,
		Args: cli.Arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := needRecord(args[0]); err != nil {
				return err
			}
			f, err := os.Open(args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			lines := bufio.NewReader(f)
			g, err := gameOfLog(args[0], lines, game)
			if err != nil {
				return err
			}
			matches, err := dealer.Replay(args[0], lines, g)
			for _, m := range matches {
				fmt.Fprintf(cmd.OutOrStdout(), "%s: %d hands of seed %d, %s\n", m.Name, m.Hands, m.Seed, m.Score)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&game, "game", "", "game of the matches: a shipped game's name or a file (default the one in the header)")
	return cmd
}

// gameOfLog returns the game of a name, or the one that a log's header names.
func gameOfLog(file string, log *bufio.Reader, name string) (*acpc.Game, error) {
	if name != "" {
		return configs.Game(name)
	}
	begin, _ := log.Peek(log.Size()) // the log may be shorter
	g, err := convert.GameOfLog(file, string(begin), configs.Game)
	if bad, ok := errors.AsType[*convert.UsageError](err); ok {
		return nil, usererr.Usage(hintConvert(err, bad.Problem))
	}
	return g, err
}
