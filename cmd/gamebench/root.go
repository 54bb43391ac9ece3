package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"gamebots/cmd/gamebench/internal/bench"
	"gamebots/cmd/internal/cli"
	"gamebots/cudalib"
	"gamebots/internal/chart"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
)

func newRoot() *cobra.Command {
	asJSON, sign, plotFile, dealt, device := false, false, "", "", cudalib.Choice{}
	cmd := &cobra.Command{
		Use:   "gamebench [NAME]",
		Short: "Run a benchmark of gamebots, or print the results of fixed work",
		Long: `gamebench measures one part of gamebots on this machine; without a name it lists
the benchmarks. A figure is the median of several runs after a warm-up, with
their standard deviation. A benchmark that can use a GPU measures the CPU and
then, if there is one, the GPU; --device selects one of the two. --plot draws
the figures that are points of curves. Benchmarks of several processes start
gamebots, which is beside this program or in PATH. --deals lets those that play
the deals of a seed be done in parts.

With --json each figure is one object per line, which docs/benchmarks/records.md
describes:
  {"bench", "case", "variant", "x", "device", "threads", "metric", "value",
   "unit", "repetitions", "spread", "source", "version", "commit", "date",
   "machine"}
"gamebench compare" compares the figures of two builds.

With --signature nothing is timed. Every method of every solver does a fixed
amount of work, and its results are printed as one number. The numbers are the
same on every machine, so a change of one shows a change of behaviour.`,
		Example: `  gamebench
  gamebench copy --device cpu --json >copy.jsonl
  gamebench copy --device cuda
  gamebench --signature`,
		Args: cli.Arguments(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case sign && (asJSON || plotFile != "" || dealt != "" || len(args) > 0):
				return usererr.Usagef("--signature cannot be combined with a name or another flag")
			case plotFile != "" && len(args) == 0:
				return usererr.Usagef("--plot needs the name of a benchmark")
			case dealt != "" && len(args) == 0:
				return usererr.Usagef("--deals needs the name of a benchmark")
			case sign:
				return printSignatures(cmd.Context(), cmd.OutOrStdout())
			case len(args) == 0:
				for _, b := range bench.All() {
					fmt.Fprintf(cmd.OutOrStdout(), "%-13s %s\n", b.Name, b.About)
				}
				return nil
			}
			deals, err := bench.ParseDeals(dealt)
			if err != nil {
				return usererr.Usagef("--deals: %w", err)
			}
			if err := chart.Drawable("--plot", plotFile); err != nil {
				return err
			}
			write := printRow
			if asJSON {
				write = printRowJSON
			}
			return runBench(cmd, args[0], device, deals, plotFile, write)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per line")
	cli.AddDevice(cmd.Flags(), &device, "device to measure: auto, cpu, cuda or cuda:N")
	cmd.Flags().BoolVar(&sign, "signature", false, "print one number for the results of each method")
	cmd.Flags().StringVar(&plotFile, "plot", "", "draw curves into this .png or .svg file")
	cmd.Flags().StringVar(&dealt, "deals", "", "deals `FROM-TO` of a seed instead of the first ones, such as 101-200")
	cmd.AddCommand(newCompare(), newReisRun())
	cli.Program(cmd)
	return cmd
}

func runBench(
	cmd *cobra.Command, name string, device cudalib.Choice, deals bench.Deals, plotFile string,
	write func(io.Writer, bench.Row) error,
) error {
	b, err := bench.Named(name)
	if err != nil {
		return err
	}
	if plotFile != "" && !b.Curves {
		var drawn []string
		for _, b := range bench.All() {
			if b.Curves {
				drawn = append(drawn, b.Name)
			}
		}
		err := usererr.Usagef("--plot: bench %s has no curves", name)
		return usererr.WithHint(err, "those with curves are "+strings.Join(drawn, ", "))
	}
	var points []bench.Row
	err = b.Run(cmd.Context(), device, deals, func(r bench.Row) error {
		if r.X != 0 {
			points = append(points, r)
		}
		return write(cmd.OutOrStdout(), r)
	})
	if plotFile == "" || err != nil && len(points) == 0 {
		return err
	}
	return errors.Join(err, bench.Plot(plotFile, points)) // the points so far
}

func printRow(w io.Writer, r bench.Row) error {
	_, err := fmt.Fprintln(w, r)
	return err
}

func printRowJSON(w io.Writer, r bench.Row) error { return json.NewEncoder(w).Encode(r) }

func printSignatures(ctx context.Context, w io.Writer) error {
	return bench.Sign(ctx, func(name string, result uint64) error {
		_, err := fmt.Fprintf(w, "%s %016x\n", name, result)
		return err
	})
}
