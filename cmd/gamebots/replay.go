package main

import (
	"bufio"
	"fmt"
	"os"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
	"gamebots/bots/files"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
)

func newReplay() *cobra.Command {
	game := ""
	cmd := command("replay", "replay LOG", "Verify the log of a poker dealer", cli.Arguments(1, 1))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := files.CheckRecord(args[0]); err != nil {
			return err
		}
		f, err := os.Open(args[0])
		if err != nil {
			return err
		}
		defer f.Close()
		lines := bufio.NewReader(cli.Reader(cmd.Context(), f))
		g, err := gameOfLog(args[0], lines, game)
		if err != nil {
			return err
		}
		matches, err := dealer.Replay(args[0], lines, g)
		for _, m := range matches {
			hands := usererr.Counted(int(m.Hands), "hand", "hands")
			if m.Score == "" {
				hands, m.Score = fmt.Sprintf("%d of %s", m.Played, hands), "no score: the match was interrupted"
				if err != nil {
					m.Score = "then the log is wrong"
				}
			}
			line := fmt.Sprintf("%s: %s of seed %d, %s\n", m.Name, hands, m.Seed, m.Score)
			fmt.Fprint(cmd.OutOrStdout(), usererr.Safe(line))
		}
		return err
	}
	cmd.Flags().StringVar(&game, "game", "",
		"game of the matches: a shipped game's name or a file (default the one in the header)")
	return cmd
}

// gameOfLog returns the game of a name, or the one that a log's header names.
func gameOfLog(file string, log *bufio.Reader, name string) (*acpc.Game, error) {
	if name != "" {
		return configs.Game(name)
	}
	begin, _ := log.Peek(log.Size()) // the log may be shorter
	return files.GameOfLog(file, string(begin))
}
