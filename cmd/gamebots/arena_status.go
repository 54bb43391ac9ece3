package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"gamebots/acpc/money"
	"gamebots/bots/arena/plan"
	"gamebots/bots/arena/store"
	"gamebots/bots/arena/tournament"
	"gamebots/bots/arena/web"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
)

func newArenaStatus() *cobra.Command {
	database, asJSON, unit := arenaDatabase, false, money.Usual
	cmd := explain(&cobra.Command{
		Use:   "status [RUN]",
		Short: "Show the progress and the results of a run",
		Args:  cli.Arguments(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			db, run, err := viewRun(cmd.Context(), database, args)
			if err != nil {
				return err
			}
			defer db.Close()
			return reportRun(cmd, db, run, asJSON, unit)
		},
	}, "arena_status")
	cmd.Flags().StringVar(&database, "database", database, "file with the runs")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	cli.AddUnit(cmd.Flags(), &unit)
	return cmd
}

func newArenaList() *cobra.Command {
	database, asJSON := arenaDatabase, false
	cmd := explain(&cobra.Command{
		Use:   "list",
		Short: "List the runs of a database",
		Args:  cli.Arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			db, err := store.OpenReadOnly(cmd.Context(), database)
			if err != nil {
				return err
			}
			defer db.Close()
			runs, err := db.Runs(cmd.Context())
			if err != nil {
				return err
			}
			return printRuns(cmd.OutOrStdout(), runs, asJSON)
		},
	}, "arena_list")
	cmd.Flags().StringVar(&database, "database", database, "file with the runs")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per line")
	return cmd
}

func printRuns(w io.Writer, runs []*plan.Run, asJSON bool) error {
	if asJSON {
		for _, r := range runs {
			if err := json.NewEncoder(w).Encode(web.BriefOf(r)); err != nil {
				return err
			}
		}
		return nil
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "run\tgame\tplayers\ttables\tgames\tdone\tbegun")
	for _, r := range runs {
		b := web.BriefOf(r)
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%d\t%.0f%%\t%s\n", b.Run, b.Game, b.Players, b.Tables, b.Games,
			100*float64(b.Stored)/float64(b.Shards), b.Begun.Format(time.DateTime))
	}
	return table.Flush()
}

// reportRun prints the stored results of a run.
func reportRun(cmd *cobra.Command, db *store.Store, run *plan.Run, asJSON bool, unit money.Unit) error {
	format, err := formatOf(run.Plan, unit, asJSON)
	if err != nil {
		return err
	}
	ctx := context.WithoutCancel(cmd.Context()) // also after an interruption
	if err := db.Refresh(ctx, run); err != nil {
		return err
	}
	tallies, err := db.Tallies(ctx, run, 0)
	if err != nil {
		return err
	}
	failed, err := db.FailedShards(ctx, run)
	if err != nil {
		return err
	}
	cross := tournament.NewCrossTable(run, plan.Sum(run, tallies))
	if asJSON {
		return json.NewEncoder(cmd.OutOrStdout()).Encode(struct {
			web.Brief
			*tournament.CrossTable
			FailedShards []plan.FailedShard `json:"troubles,omitempty"`
		}{web.BriefOf(run), cross, failed})
	}
	if run.Plan.Kind == plan.Poker {
		cross.Scale(format.Rescaled())
	}
	return printCross(cmd.OutOrStdout(), run, cross, failed)
}

// printCross prints a run's standings and its cross table.
func printCross(w io.Writer, run *plan.Run, cross *tournament.CrossTable, failed []plan.FailedShard) error {
	p := run.Plan
	fmt.Fprintf(w, "%s: %s, %d of %d games\n\n", p.Name, p.Game, cross.Played, p.Games()*len(p.Tables))
	number, decimals := func(x float64) string { return money.Signed(x, 1) }, 1
	if p.Kind == plan.Board {
		number, decimals = func(x float64) string { return fmt.Sprintf("%.3f", x) }, 3
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "\tplayer\t%s\t95%%\tgames\t", cross.Unit)
	pairs := len(p.Orders[0]) == 2 && len(p.Players) > 2
	if pairs {
		for _, s := range cross.Players {
			fmt.Fprintf(table, "%s\t", s.Name)
		}
	}
	fmt.Fprintln(table)
	for i, s := range cross.Players {
		if s.Games == 0 {
			fmt.Fprintf(table, "\t%s\t\t\t0\t\n", s.Name)
			continue
		}
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%d\t", i+1, s.Name, number(s.Mean),
			money.PlusMinus(float64(s.Interval), decimals), s.Games)
		if pairs {
			for _, o := range cross.Players {
				if x := cross.Pair(s.Name, o.Name); x != nil {
					fmt.Fprintf(table, "%s %s\t", number(x.Mean), money.PlusMinus(float64(x.Interval), decimals))
				} else {
					fmt.Fprint(table, "\t")
				}
			}
		}
		fmt.Fprintln(table)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, x := range cross.Tables {
		if x.Decided != "" {
			fmt.Fprintf(w, "%s: %s\n", strings.Join(x.Names, " against "), x.Decided)
		}
	}
	for _, s := range cross.Players {
		if s.Faults > 0 {
			fmt.Fprintf(w, "%s failed in %s (arena export --format csv has the reasons)\n", s.Name,
				usererr.Counted(s.Faults, "game", "games"))
		}
	}
	for _, t := range failed {
		fmt.Fprintf(w, "shard %d could not be played, %d tries: %s\n", t.Shard, t.Tries, t.Error)
	}
	return nil
}

// number formats a number so that it is read back as the same.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
