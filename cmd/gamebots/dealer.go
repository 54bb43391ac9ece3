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
	cmd := command("dealer", "dealer MATCH GAME HANDS SEED NAME... [OPTION...]",
		"Deal a poker match over TCP, as the ACPC's dealer does", nil,
		"OPTIONS", strings.ReplaceAll(dealer.Options, "matchName", "MATCH"))
	cmd.DisableFlagParsing = true // the original's options do not follow pflag's syntax
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
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
	}
	return cmd
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
