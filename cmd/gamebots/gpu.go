package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
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
	cmd := explain(&cobra.Command{
		Use:   "gpu",
		Short: "Show which GPUs can be used, or why none can",
		Args:  cli.Arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if inside {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(probe.Survey())
			}
			program, err := os.Executable()
			if err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(cmd.Context(), probeTimeout)
			defer cancel()
			report := probe.Run(ctx, program, "gpu", "--inside")
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(report)
			}
			return printGPUs(cmd.OutOrStdout(), report)
		},
	}, "gpu")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.Flags().BoolVar(&inside, "inside", false, "ask the driver in this process")
	if err := cmd.Flags().MarkHidden("inside"); err != nil {
		panic(err)
	}
	return cmd
}

func printGPUs(w io.Writer, r probe.Report) error {
	var text strings.Builder
	if r.CUDA != "" {
		fmt.Fprintf(&text, "driver %s, CUDA %s\n", cmp.Or(r.Driver, "of unknown release"), r.CUDA)
	}
	for _, d := range r.Devices {
		fmt.Fprintf(&text, "%s: %s, compute capability %s, %d multiprocessors\n", d.Device, d.Name,
			d.Capability, d.Multiprocessors)
		if d.Problem != "" {
			fmt.Fprintf(&text, "  cannot be used: %s\n", d.Problem)
			continue
		}
		const gib = 1 << 30
		fmt.Fprintf(&text, "  memory  %.1f GiB, %.1f GiB of it free\n", float64(d.MemoryBytes)/gib,
			float64(d.FreeBytes)/gib)
		fmt.Fprintf(&text, "  copy    %.4g GB/s\n", d.CopyBytesPerSecond/1e9)
		fmt.Fprintf(&text, "  launch  %.3g µs, in a graph %.3g µs\n", d.LaunchSeconds*1e6, d.GraphLaunchSeconds*1e6)
	}
	if r.Problem != "" {
		fmt.Fprintf(&text, "no GPU: %s\n", r.Problem)
	}
	if r.Hint != "" {
		fmt.Fprintf(&text, "hint: %s\n", r.Hint)
	}
	_, err := io.WriteString(w, text.String())
	return err
}
