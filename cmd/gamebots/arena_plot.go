package main

import (
	"cmp"
	"fmt"

	"gamebots/bots/arena"
	"gamebots/bots/arena/store"
	"gamebots/internal/chart"

	"github.com/spf13/cobra"
)

func newArenaPlot() *cobra.Command {
	output := ""
	cmd := onRun("plot [RUN]", "Plot the winnings and the ranking of a run", "arena_plot", func(
		cmd *cobra.Command, db *store.Store, run *arena.Run,
	) error {
		file := cmp.Or(output, run.Plan.Name+".png")
		if err := drawRun(cmd.Context(), db, run, file); err != nil {
			return err
		}
		_, err := fmt.Fprintln(cmd.OutOrStdout(), file)
		return err
	})
	cmd.Flags().StringVarP(&output, "output", "o", "", "output file, .png or .svg (default RUN.png)")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		return chart.Drawable("--output", output)
	}
	return cmd
}
