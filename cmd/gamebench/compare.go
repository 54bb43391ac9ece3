package main

import (
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
)

func newCompare() *cobra.Command {
	return &cobra.Command{
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
reports a difference in some figure. Published figures are left out.`,
		Example: `  for i in $(seq 15)
  do old/gamebench copy --device cpu --json >>old.jsonl
     new/gamebench copy --device cpu --json >>new.jsonl
  done
  gamebench compare old.jsonl new.jsonl`,
		Args: cli.Arguments(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			var rows [2][]Row
			for i, file := range args {
				in, err := os.Open(file)
				if err != nil {
					return err
				}
				defer in.Close()
				if rows[i], err = ReadRows(in, file); err != nil {
					return usererr.WithHint(err, "gamebench NAME --json prints records")
				}
			}
			all := Compare(rows[0], rows[1])
			if len(all) == 0 {
				return usererr.WithHint(fmt.Errorf("%s and %s have no measured figure in common", args[0], args[1]),
					"figures are compared for the same bench, device and threads")
			}
			return printComparisons(cmd.OutOrStdout(), all)
		},
	}
}

// printComparisons prints a line for each figure.
func printComparisons(w io.Writer, all []Comparison) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range all {
		change := fmt.Sprintf("%+.2f%%", 100*c.Change)
		if c.Verdict != Unknown {
			change += fmt.Sprintf(" (%+.2f to %+.2f)", 100*c.Low, 100*c.High)
		}
		fmt.Fprintf(table, "%s\t%s\t%.5g\t%.5g\t%s\t%s\t%s\n", c.Row.Name(), c.Row.Metric, c.Old, c.New,
			c.Row.Unit, change, c.Verdict)
	}
	return table.Flush()
}
