package main

import (
	"gamebots/cmd/internal/cli"

	"github.com/spf13/cobra"
)

func newVersion() *cobra.Command {
	cmd := command("version", "version", "Print the version", cli.Arguments(0, 0))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cli.PrintVersion(cmd) }
	return cmd
}
