package main

import (
	"gamebots/cmd/internal/cli"

	"github.com/spf13/cobra"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Long:    `version prints the version of the program, as gamebots --version does.`,
		Example: `  gamebots version`,
		Args:    cli.Arguments(0, 0),
		RunE:    func(cmd *cobra.Command, _ []string) error { return cli.PrintVersion(cmd) },
	}
}
