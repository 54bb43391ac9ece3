package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"gamebots/bots/arena"
	"gamebots/bots/arena/store"
	"gamebots/bots/files"
	"gamebots/bots/registry"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
)

func newArenaExport() *cobra.Command {
	format, output, force := "", "", false
	cmd := onRun("export [RUN]", "Export the hands or games of a run", "arena_export", func(
		cmd *cobra.Command, db *store.Store, run *arena.Run,
	) error {
		n := 0
		err := cli.WriteOutput(cmd.OutOrStdout(), output, func(w io.Writer) (err error) {
			n, err = files.Export(cmd.Context(), w, db, run, registry.Rules, files.Format(format))
			return err
		})
		if err != nil || output == "" {
			return err
		}
		what := usererr.Counted(n, "game", "games")
		if run.Plan.Kind == arena.Poker {
			what = usererr.Counted(n, "hand", "hands")
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s of %s\n", output, what, run.Plan.Name)
		return err
	})
	cli.Bind(cmd, "output", &output, "force", &force)
	cmd.Flags().StringVar(&format, "format", "", files.Choice(files.Writable))
	cmd.PreRunE = func(*cobra.Command, []string) error {
		format = cmp.Or(format, string(files.FormatOf(output)))
		if !slices.Contains(files.Writable, files.Format(format)) {
			return usererr.Usagef("--format: %q is not %s", format, files.Choice(files.Writable))
		}
		return cli.Replaceable(output, "-o FILE", force)
	}
	return cmd
}
