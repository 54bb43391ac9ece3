package main

import (
	"gamebots/cmd/internal/cli"

	"github.com/spf13/cobra"
)

func newVersion() *cobra.Command {
	return explain(&cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cli.Arguments(0, 0),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cli.PrintVersion(cmd) },
	}, "version")
}
