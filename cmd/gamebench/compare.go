package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"text/tabwriter"

	"gamebots/cmd/gamebench/internal/bench"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
)

func newCompare() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "compare OLD NEW",
		Short: "Compare the figures of two builds",
		Long: `compare reads two files with the output of gamebench NAME --json, each of one
build, and prints for each figure that both have how much larger the new one is,
with its interval and a verdict: higher, lower or no difference.

A file has any number of runs, one after the other. Run both builds in turn:
then each run of the new build is paired with a run of the old one, and what
slows both down alike cancels out. With 15 runs that vary by 1%, a change of 3%
is found; on a busy machine, make 40 runs. Files with different numbers of runs
are compared by all values of a figure. Single runs are compared by the
repetitions in them, which miss whatever changes from run to run. For a figure
that was measured only once the verdict is unknown.

Intervals are simultaneous: of 100 comparisons of equal builds, about one
reports a difference in some figure. Published figures are left out.

With --json each figure is one object per line:
  {"bench", "case", "variant", "x", "device", "threads", "metric", "unit",
   "old", "new", "change", "low", "high", "verdict"}
change, low and high are fractions of the old figure. low and high are null if
the verdict is unknown, or too large for a number; so is a change that is too
large.`,
		Example: `  for i in $(seq 15)
  do old/gamebench copy --device cpu --json >>old.jsonl
     new/gamebench copy --device cpu --json >>new.jsonl
  done
  gamebench compare old.jsonl new.jsonl`,
		Args: cli.Arguments(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			var rows [2][]bench.Row
			for i, file := range args {
				in, err := os.Open(file)
				if err != nil {
					return err
				}
				defer in.Close()
				if rows[i], err = bench.ReadRows(in, file); err != nil {
					return usererr.WithHint(err, "gamebench NAME --json prints records")
				}
			}
			all := bench.Compare(rows[0], rows[1])
			if len(all) == 0 {
				return usererr.WithHint(fmt.Errorf("%s and %s have no measured figure in common", args[0], args[1]),
					"figures are compared for the same bench, device and threads")
			}
			if asJSON {
				return writeComparisons(cmd.OutOrStdout(), all)
			}
			return printComparisons(cmd.OutOrStdout(), all)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per line")
	return cmd
}

// printComparisons prints a line for each figure.
func printComparisons(w io.Writer, all []bench.Comparison) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range all {
		change := fmt.Sprintf("%+.2f%%", 100*c.Change)
		if c.Verdict != bench.Unknown {
			change += fmt.Sprintf(" (%+.2f to %+.2f)", 100*c.Low, 100*c.High)
		}
		fmt.Fprintf(table, "%s\t%s\t%.5g\t%.5g\t%s\t%s\t%s\n", c.Row.Name(), c.Row.Metric, c.Old, c.New,
			c.Row.Unit, change, c.Verdict)
	}
	return table.Flush()
}

// writeComparisons writes a JSON object for each figure.
func writeComparisons(w io.Writer, all []bench.Comparison) error {
	finite := func(x float64) *float64 { // nil for what JSON cannot say: unknown, or beyond all floats
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil
		}
		return &x
	}
	lines := json.NewEncoder(w)
	for _, c := range all {
		r := c.Row
		line := struct {
			Bench   string        `json:"bench"`
			Case    string        `json:"case"`
			Variant string        `json:"variant,omitempty"`
			X       float64       `json:"x,omitempty"`
			Device  string        `json:"device"`
			Threads int           `json:"threads"`
			Metric  string        `json:"metric"`
			Unit    string        `json:"unit"`
			Old     float64       `json:"old"`
			New     float64       `json:"new"`
			Change  *float64      `json:"change"`
			Low     *float64      `json:"low"`
			High    *float64      `json:"high"`
			Verdict bench.Verdict `json:"verdict"`
		}{r.Bench, r.Case, r.Variant, r.X, r.Device, r.Threads, r.Metric, r.Unit, c.Old, c.New, finite(c.Change),
			finite(c.Low), finite(c.High), c.Verdict}
		if err := lines.Encode(line); err != nil {
			return err
		}
	}
	return nil
}
