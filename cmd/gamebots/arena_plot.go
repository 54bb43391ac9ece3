package main

import (
	"cmp"
	"fmt"

	"gamebots/bots/arena/charts"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/chart"

	"github.com/spf13/cobra"
)

func newArenaPlot() *cobra.Command {
	database, output := arenaDatabase, ""
	cmd := explain(&cobra.Command{
		Use:   "plot [RUN]",
		Short: "Plot the winnings and the ranking of a run",
		Args:  cli.Arguments(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := chart.Drawable("--output", output); err != nil {
				return err
			}
			db, run, err := viewRun(cmd.Context(), database, args)
			if err != nil {
				return err
			}
			defer db.Close()
			file := cmp.Or(output, run.Plan.Name+".png")
			if err := charts.Draw(cmd.Context(), db, run, file); err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), file)
			return err
		},
	}, "arena_plot")
	cmd.Flags().StringVar(&database, "database", database, "file with the runs")
	cmd.Flags().StringVarP(&output, "output", "o", "", "output file, .png or .svg (default RUN.png)")
	return cmd
}
