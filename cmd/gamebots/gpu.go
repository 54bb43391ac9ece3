package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"time"

	"gamebots/cmd/internal/cli"
	"gamebots/cudalib"
	"gamebots/cudalib/probe"
	"gamebots/solvers/resolve/ondevice"

	"github.com/spf13/cobra"
)

// probeTimeout is how long a driver may take to start and to be measured. It
// takes seconds on a machine with many GPUs that sleep.
const probeTimeout = time.Minute

func newGPU() *cobra.Command {
	asJSON, inside, solving := false, false, false
	cmd := command("gpu", "gpu", "Show which GPUs can be used, or why none can", cli.Arguments(0, 0))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
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
		if solving {
			return reportSolving(cmd, &report, asJSON)
		}
		if asJSON {
			return json.NewEncoder(cmd.OutOrStdout()).Encode(report)
		}
		return report.WriteText(cmd.OutOrStdout())
	}
	cmd.Flags().BoolVar(&solving, "report", false, "measure, too, what each GPU solves of a flop at the table")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.Flags().BoolVar(&inside, "inside", false, "ask the driver in this process")
	if err := cmd.Flags().MarkHidden("inside"); err != nil {
		panic(err)
	}
	return cmd
}

// reportSolving prints a report of the GPUs, and of what each that is usable solves of a flop.
func reportSolving(cmd *cobra.Command, r *probe.Report, asJSON bool) error {
	solving := []*ondevice.Report{}
	for _, d := range r.Devices {
		if d.Problem != "" {
			continue
		}
		choice, err := cudalib.ParseChoice(d.Device)
		if err != nil {
			return err
		}
		device, _, err := choice.Open()
		if err != nil {
			return err
		}
		measured, err := ondevice.Measure(cmd.Context(), device)
		if err := errors.Join(err, device.Close()); err != nil {
			return err
		}
		solving = append(solving, measured)
	}
	out := cmd.OutOrStdout()
	if asJSON {
		return json.NewEncoder(out).Encode(struct {
			*probe.Report
			Solving []*ondevice.Report `json:"solving"`
		}{r, solving})
	}
	err := errors.Join(cli.PrintVersion(cmd), r.WriteText(out))
	for _, measured := range solving {
		err = errors.Join(err, measured.WriteText(out))
	}
	return err
}
