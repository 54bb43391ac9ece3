package main

import (
	"fmt"
	"runtime"

	"gamebots/internal/version"

	"github.com/spf13/cobra"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Long:    `version prints the version of the program, as gamebots --version does.`,
		Example: `  gamebots version`,
		Args:    arguments(0, 0),
		RunE:    func(cmd *cobra.Command, _ []string) error { return printVersion(cmd) },
	}
}

func printVersion(cmd *cobra.Command) error {
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "gamebots %s (%s %s/%s)\n", version.Release(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
