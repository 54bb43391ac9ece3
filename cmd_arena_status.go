package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"gamebots/bots/arena/contest"
	"gamebots/bots/arena/record"
	"gamebots/bots/arena/store"

	"github.com/spf13/cobra"
)

func newArenaStatus() *cobra.Command {
	database, asJSON := arenaDatabase, false
	cmd := &cobra.Command{
		Use:   "status [RUN]",
		Short: "Show how far a run is, and its results so far",
		Long: `status prints how far a run is and what its results are by now, of a run that is
played at the moment as of one that has ended. Without a name it is the latest.`,
		Example: `  gamebots arena status
  gamebots arena status five --database matches.db --json`,
		Args: usage(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			db, run, err := viewRun(cmd.Context(), database, args)
			if err != nil {
				return err
			}
			defer db.Close()
			return reportRun(cmd, db, run, asJSON)
		},
	}
	cmd.Flags().StringVar(&database, "database", database, "where runs are kept")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return cmd
}

func newArenaList() *cobra.Command {
	database, asJSON := arenaDatabase, false
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the runs of a database",
		Long:  `list prints the runs of a database, the oldest first, and how far each is.`,
		Example: `  gamebots arena list
  gamebots arena list --database matches.db --json`,
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			db, err := store.View(cmd.Context(), database)
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
	}
	cmd.Flags().StringVar(&database, "database", database, "where runs are kept")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	return cmd
}

// runState is what list says of a run.
type runState struct {
	Run     string `json:"run"`
	Game    string `json:"game"`
	Players int    `json:"players"`
	Tables  int    `json:"tables"`
	Games   int    `json:"games"` // planned
	Stored  int    `json:"stored"`
	Shards  int    `json:"shards"`
	Begun   string `json:"begun"`
	Ended   string `json:"ended,omitempty"`
}

func stateOf(r *store.Run) runState {
	p := r.Plan
	s := runState{Run: p.Name, Game: p.Game, Players: len(p.Players), Tables: len(p.Tables), Games: p.Games() * len(p.Tables), Stored: r.Stored, Shards: r.Shards(), Begun: r.Created.Format(time.RFC3339)}
	if !r.Ended.IsZero() {
		s.Ended = r.Ended.Format(time.RFC3339)
	}
	return s
}

func printRuns(w io.Writer, runs []*store.Run, asJSON bool) error {
	if asJSON {
		for _, r := range runs {
			if err := json.NewEncoder(w).Encode(stateOf(r)); err != nil {
				return err
			}
		}
		return nil
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "run\tgame\tplayers\ttables\tgames\tdone\tbegun")
	for _, r := range runs {
		s := stateOf(r)
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%d\t%.0f%%\t%s\n", s.Run, s.Game, s.Players, s.Tables, s.Games, 100*float64(s.Stored)/float64(s.Shards), r.Created.Format(time.DateTime))
	}
	return table.Flush()
}

// reportRun prints the results of a run as it is stored.
func reportRun(cmd *cobra.Command, db *store.Store, run *store.Run, asJSON bool) error {
	ctx := context.WithoutCancel(cmd.Context()) // also after an interruption
	if err := db.Refresh(ctx, run); err != nil {
		return err
	}
	tallies, err := db.Tallies(ctx, run, 0)
	if err != nil {
		return err
	}
	troubles, err := db.Troubles(ctx, run)
	if err != nil {
		return err
	}
	cross := contest.NewCross(run, store.Sum(run, tallies))
	if asJSON {
		return json.NewEncoder(cmd.OutOrStdout()).Encode(struct {
			runState
			*contest.Cross
			Troubles []store.Trouble `json:"troubles,omitempty"`
		}{stateOf(run), cross, troubles})
	}
	return printCross(cmd.OutOrStdout(), run, cross, troubles)
}

// printCross prints a run's standings and who won what from whom.
func printCross(w io.Writer, run *store.Run, cross *contest.Cross, troubles []store.Trouble) error {
	plan := run.Plan
	fmt.Fprintf(w, "%s: %s, %d of %d games\n\n", plan.Name, plan.Game, cross.Played, plan.Games()*len(plan.Tables))
	number, half, of := signedTenths, "± %.1f", cross.Unit
	if plan.Kind == record.Board {
		number, half = func(x float64) string { return fmt.Sprintf("%.3f", x) }, "± %.3f"
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "\tplayer\t%s\t95%%\tgames\t", of)
	pairs := len(plan.Orders[0]) == 2 && len(plan.Players) > 2
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
		fmt.Fprintf(table, "%d\t%s\t%s\t"+half+"\t%d\t", i+1, s.Name, number(s.Mean), float64(s.Interval), s.Games)
		if pairs {
			for _, o := range cross.Players {
				if x := cross.Pair(s.Name, o.Name); x != nil {
					fmt.Fprintf(table, "%s "+half+"\t", number(x.Mean), float64(x.Interval))
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
			fmt.Fprintf(w, "%s failed in %d games (arena export --format csv says how)\n", s.Name, s.Faults)
		}
	}
	for _, t := range troubles {
		fmt.Fprintf(w, "shard %d could not be played, %d tries: %s\n", t.Shard, t.Tries, t.Error)
	}
	return nil
}

// signedTenths is a mean of chips to the tenth. Means of whole chips are often
// halfway between two: those go away from zero, as on the page, in whatever order
// the chips were added.
func signedTenths(x float64) string {
	if x = math.Round(10*x+math.Copysign(1e-6, x)) / 10; x == 0 {
		x = 0 // without a sign
	}
	return fmt.Sprintf("%+.1f", x)
}
