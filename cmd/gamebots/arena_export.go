package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gamebots/bots/arena/export"
	"gamebots/bots/arena/plan"
	"gamebots/bots/convert"
	"gamebots/bots/registry"
	"gamebots/cmd/gamebots/internal/figures"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/atomicfile"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
)

func newArenaExport() *cobra.Command {
	database, format, output, force := arenaDatabase, "", "", false
	cmd := &cobra.Command{
		Use:   "export [RUN] --format FORMAT",
		Short: "Export the hands or games of a run",
		Long: `export writes all stored hands or games of a run, by default the latest. It
works during the run, too. The formats are
  acpc    poker: a dealer's log with a match for every shard and order of the
          seats, for gamebots replay, convert and evaluate --log
  phh     poker: hand histories in TOML (docs/convert.md)
  hgf     Havannah: the format of HGui and LittleGolem
  text    board games, one per line
  csv     a table, with a line for each player and hand, or for each game
  jsonl   one JSON object per line
Tables, parts, orders and games are numbered from 0. The games of a table are
numbered consecutively; the second game of an opening has the seats exchanged.`,
		Example: `  gamebots arena export --format csv -o hands.csv
  gamebots arena export five --format acpc -o five.log
  gamebots arena export havannah --format hgf`,
		Args: cli.Arguments(0, 1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if format == "" {
				return usererr.Usagef("--format is missing; it is one of %s", strings.Trim(fmt.Sprint(export.Formats), "[]"))
			}
			if !slices.Contains(export.Formats, convert.Format(format)) {
				return usererr.Usagef("--format: %q is not one of %s", format, strings.Trim(fmt.Sprint(export.Formats), "[]"))
			}
			if err := cli.Replaceable(output, "-o FILE", force); err != nil {
				return err
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
			what := figures.Counted(n, "game", "games")
			if run.Plan.Kind == plan.Poker {
				what = figures.Counted(n, "hand", "hands")
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s of %s\n", output, what, run.Plan.Name)
			return err
		},
	}
	cmd.Flags().StringVar(&database, "database", database, "file with the runs")
	cmd.Flags().StringVar(&format, "format", "", "acpc, phh, hgf, text, csv or jsonl")
	cmd.Flags().StringVarP(&output, "output", "o", "", "output file (default standard output)")
	cli.AddForce(cmd.Flags(), &force)
	return cmd
}
