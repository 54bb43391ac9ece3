package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"gamebots/bots/arena/export"
	"gamebots/bots/arena/plan"
	"gamebots/bots/convert"
	"gamebots/bots/registry"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
)

func newArenaExport() *cobra.Command {
	database, format, output, force := arenaDatabase, "", "", false
	cmd := explain(&cobra.Command{
		Use:   "export [RUN] --format FORMAT",
		Short: "Export the hands or games of a run",
		Args:  cli.Arguments(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if format == "" {
				return usererr.Usagef("--format is missing; it is one of %s",
					strings.Trim(fmt.Sprint(export.Formats), "[]"))
			}
			if !slices.Contains(export.Formats, convert.Format(format)) {
				return usererr.Usagef("--format: %q is not one of %s", format,
					strings.Trim(fmt.Sprint(export.Formats), "[]"))
			}
			if err := cli.Replaceable(output, "-o FILE", force); err != nil {
				return err
			}
			db, run, err := viewRun(cmd.Context(), database, args)
			if err != nil {
				return err
			}
			defer db.Close()
			n := 0
			err = cli.WriteOutput(cmd, output, func(w io.Writer) (err error) {
				n, err = export.Write(cmd.Context(), w, db, run, registry.Rules, convert.Format(format))
				return err
			})
			if err != nil || output == "" {
				return err
			}
			what := usererr.Counted(n, "game", "games")
			if run.Plan.Kind == plan.Poker {
				what = usererr.Counted(n, "hand", "hands")
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s of %s\n", output, what, run.Plan.Name)
			return err
		},
	}, "arena_export")
	cmd.Flags().StringVar(&database, "database", database, "file with the runs")
	cmd.Flags().StringVar(&format, "format", "", "acpc, phh, hgf, text, csv or jsonl")
	cmd.Flags().StringVarP(&output, "output", "o", "", "output file (default standard output)")
	cli.AddForce(cmd.Flags(), &force)
	return cmd
}
