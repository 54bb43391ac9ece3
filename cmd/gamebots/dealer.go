package main

import (
	"errors"
	"io/fs"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"gamebots/acpc/dealer"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"

	"github.com/spf13/cobra"
)

func newDealer() *cobra.Command {
	return &cobra.Command{
		Use:   "dealer MATCH GAME HANDS SEED NAME... [OPTION...]",
		Short: "Deal a poker match over TCP, as the ACPC's dealer does",
		Long: `dealer replaces the dealer program of the Annual Computer Poker Competition. It
has the same arguments, output, files and exit status (1 for every failure). It
prints the ports of the seats, waits for a player at each, plays HANDS hands
with the cards of SEED, and prints the score. GAME is a game definition file or,
if there is no such file, the name of a shipped game.

Options may appear anywhere:
` + strings.ReplaceAll(dealer.Options, "matchName", "MATCH") + `
The original sometimes hangs, crashes or loses chips. This dealer does not;
docs/acpc-dealer.md lists the differences.`,
		Example: `  gamebots dealer demo leduc 3000 42 Alice Bob
  gamebots dealer demo leduc 3000 42 Alice Bob -T -a
  gamebots dealer demo leduc 3000 42 Alice Bob -p 18791,18792 -q \
    --t_response 10000`,
		DisableFlagParsing: true, // the original's options do not follow pflag's syntax
		RunE: func(cmd *cobra.Command, args []string) error {
			if slices.Contains(args, "--help") {
				return cmd.Help()
			}
			// A match does not end because its messages are no longer read.
			signal.Ignore(syscall.SIGPIPE)
			p := dealer.Program{Stdout: cmd.OutOrStdout(), Stderr: cmd.ErrOrStderr(), ReadGame: gameText}
			if err := p.Run(cmd.Context(), args); err != nil {
				return cli.Reported{Err: err}
			}
			return nil
		},
	}
}

// maxDefinition is the maximum size of a game definition in bytes, more than any needs.
const maxDefinition = 1 << 20

// gameText returns the definition in a file, or that of a shipped game.
func gameText(name string) (string, error) {
	text, err := configs.ReadFileAtMost(name, maxDefinition)
	if errors.Is(err, fs.ErrNotExist) {
		_, shipped, err := configs.GameText(name)
		return shipped, err
	}
	return string(text), err
}
