package main

import (
	"context"
	"os"
	"time"

	"gamebots/cmd/internal/cli"
	"gamebots/cudalib/probe"

	"github.com/spf13/cobra"
)

// probeTimeout is how long a driver may take to start and to be measured. It
// takes seconds on a machine with many GPUs that sleep.
const probeTimeout = time.Minute

func newGPU() *cobra.Command {
	asJSON, inside := false, false
	cmd := command("gpu", "gpu", "Show which GPUs can be used, or why none can", cli.Arguments(0, 0))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if inside {
			return cli.Print(cmd.OutOrStdout(), true, probe.Survey())
		}
		program, err := os.Executable()
		if err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(cmd.Context(), probeTimeout)
		defer cancel()
		report := probe.Run(ctx, program, "gpu", "--inside")
		return cli.Print(cmd.OutOrStdout(), asJSON, &report)
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.Flags().BoolVar(&inside, "inside", false, "ask the driver in this process")
	if err := cmd.Flags().MarkHidden("inside"); err != nil {
		panic(err)
	}
	return cmd
}
