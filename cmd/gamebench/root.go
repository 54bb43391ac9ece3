package main

import (
	"fmt"

	"gamebots/cmd/internal/cli"
	"gamebots/cudalib"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
)

func newRoot() *cobra.Command {
	asJSON, sign, dealt, device := false, false, "", cudalib.Choice{}
	cmd := &cobra.Command{
		Use:   "gamebench [NAME]",
		Short: "Run a benchmark of gamebots, or print the results of fixed work",
		Long: `gamebench measures one part of gamebots on this machine; without a name it lists
the benchmarks. A figure is the median of several runs after a warm-up, with
their standard deviation. A benchmark that can use a GPU measures the CPU and
then, if there is one, the GPU; --device selects one of the two. Bots starts
gamebots, which is beside this program or in PATH. --deals lets solving-lbr,
which plays the deals of a seed, be done in parts.

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
			case sign && (asJSON || dealt != "" || len(args) > 0):
				return usererr.Usagef("--signature cannot be combined with a name or another flag")
			case dealt != "" && len(args) == 0:
				return usererr.Usagef("--deals needs the name of a benchmark")
			case sign:
				return Sign(cmd.Context(), func(name string, result uint64) error {
					_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s %016x\n", name, result)
					return err
				})
			case len(args) == 0:
				for _, b := range benches {
					fmt.Fprintf(cmd.OutOrStdout(), "%-13s %s\n", b.Name, b.About)
				}
				return nil
			}
			deals, err := ParseDeals(dealt)
			if err != nil {
				return usererr.Usagef("--deals: %w", err)
			}
			b, err := Named(args[0])
			if err != nil {
				return err
			}
			return b.Run(cmd.Context(), device, deals, func(r Row) error {
				if asJSON {
					return cli.Print(cmd.OutOrStdout(), true, r)
				}
				_, err := fmt.Fprintln(cmd.OutOrStdout(), r)
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per line")
	cli.BindTexts(cmd.Flags(), "  device: measure auto, cpu, cuda or cuda:N", "device", &device)
	cmd.Flags().BoolVar(&sign, "signature", false, "print one number for the results of each method")
	cmd.Flags().StringVar(&dealt, "deals", "", "deals `FROM-TO` of a seed instead of the first ones, such as 101-200")
	cmd.AddCommand(newCompare())
	cli.Program(cmd)
	return cmd
}
