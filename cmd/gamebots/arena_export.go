package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gamebots/bots/arena/export"
	"gamebots/bots/convert"
	"gamebots/bots/registry"
	"gamebots/internal/atomicfile"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
)

func newArenaExport() *cobra.Command {
	database, format, output := arenaDatabase, "", ""
	cmd := &cobra.Command{
		Use:   "export [RUN] --format FORMAT",
		Short: "Write the hands or games of a run for other programs",
		Long: `export writes all that is stored of a run, during the run or after it. Without a
name it is the latest run. The formats are
  acpc    of poker: a dealer's log, a match for every shard and order of the
          seats, for gamebots replay, convert and evaluate --log
  phh     of poker: hand histories, which are TOML (docs/convert.md)
  hgf     of Havannah, as HGui and LittleGolem read it
  text    of board games, one a line
  csv     a table, a line a player and hand, or a game
  jsonl   one JSON object a line
Tables, parts, orders and games count from 0. A board game's number counts over
its table; the second of an opening has the seats exchanged.`,
		Example: `  gamebots arena export --format csv -o hands.csv
  gamebots arena export five --format acpc -o five.log
  gamebots arena export havannah --format hgf`,
		Args: usage(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if format == "" {
				return usererr.Usagef("--format is needed: one of %s", strings.Trim(fmt.Sprint(export.Formats), "[]"))
			}
			if !slices.Contains(export.Formats, convert.Format(format)) {
				return usererr.Usagef("--format: %q is not one of %s", format, strings.Trim(fmt.Sprint(export.Formats), "[]"))
			}
			db, run, err := viewRun(cmd.Context(), database, args)
			if err != nil {
				return err
			}
			defer db.Close()
			var w io.Writer = cmd.OutOrStdout()
			var file *atomicfile.File
			if output != "" {
				if file, err = atomicfile.Create(output); err != nil {
					return err
				}
				defer func() { err = errors.Join(err, file.Cleanup()) }()
				w = file
			}
			n, err := export.Write(cmd.Context(), w, db, run, registry.Rules, convert.Format(format))
			if err != nil || file == nil {
				return err
			}
			if err := file.Commit(); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %d hands or games of %s\n", output, n, run.Plan.Name)
			return err
		},
	}
	cmd.Flags().StringVar(&database, "database", database, "where runs are kept")
	cmd.Flags().StringVar(&format, "format", "", "acpc, phh, hgf, text, csv or jsonl")
	cmd.Flags().StringVarP(&output, "output", "o", "", "file to write (default standard output)")
	return cmd
}
