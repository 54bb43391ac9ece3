package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"gamebots/acpc/money"
	"gamebots/bots/arena"
	"gamebots/bots/arena/store"
	"gamebots/bots/arena/tournament"
	"gamebots/cmd/internal/cli"

	"github.com/spf13/cobra"
)

func newArenaStatus() *cobra.Command {
	asJSON, unit := false, money.Usual
	cmd := onRun("status [RUN]", "Show the progress and the results of a run", "arena_status", func(
		cmd *cobra.Command, db *store.Store, run *arena.Run,
	) error {
		return reportRun(cmd, db, run, asJSON, unit)
	})
	cli.Bind(cmd, "json", &asJSON, "unit", &unit)
	return cmd
}

func newArenaList() *cobra.Command {
	database, asJSON := arenaDatabase, false
	cmd := command("arena_list", "list", "List the runs of a database", cli.Arguments(0, 0))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
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
	}
	cli.Bind(cmd, "database", &database, "json", &asJSON)
	return cmd
}

// brief is the entry of a run in the list.
type brief struct {
	Run     string `json:"run"`
	Kind    string `json:"kind"` // "poker" or "board"
	Game    string `json:"game"`
	Players int    `json:"players"`
	Tables  int    `json:"tables"`
	Games   int    `json:"games"` // planned hands or games
	Stored  int    `json:"stored"`
	Shards  int    `json:"shards"`
	// Times are in RFC 3339 format, truncated to the second.
	Begun time.Time `json:"begun"`
	Ended time.Time `json:"ended,omitzero"`
}

func briefOf(r *arena.Run) brief {
	p := r.Plan
	return brief{
		Run: p.Name, Kind: p.Kind, Game: p.Game, Players: len(p.Players), Tables: len(p.Tables),
		Games: p.Games() * len(p.Tables), Stored: r.Stored, Shards: r.Shards(),
		Begun: r.Created.Truncate(time.Second), Ended: r.Ended.Truncate(time.Second),
	}
}

func printRuns(w io.Writer, runs []*arena.Run, asJSON bool) error {
	briefs := make([]brief, len(runs))
	for i, r := range runs {
		briefs[i] = briefOf(r)
	}
	if asJSON {
		return cli.PrintLines(w, briefs)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "run\tgame\tplayers\ttables\tgames\tdone\tbegun")
	for _, b := range briefs {
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%d\t%.0f%%\t%s\n", b.Run, b.Game, b.Players, b.Tables, b.Games,
			100*float64(b.Stored)/float64(b.Shards), b.Begun.Format(time.DateTime))
	}
	return table.Flush()
}

// reportRun prints the stored results of a run.
func reportRun(cmd *cobra.Command, db *store.Store, run *arena.Run, asJSON bool, unit money.Unit) error {
	format, err := formatOf(run.Plan, unit, asJSON)
	if err != nil {
		return err
	}
	ctx := context.WithoutCancel(cmd.Context()) // also after an interruption
	if err := db.Refresh(ctx, run); err != nil {
		return err
	}
	tallies, err := db.Tallies(ctx, run)
	if err != nil {
		return err
	}
	failed, err := db.FailedShards(ctx, run)
	if err != nil {
		return err
	}
	cross := tournament.NewCrossTable(run, arena.Sum(run, tallies), format)
	if asJSON {
		return json.NewEncoder(cmd.OutOrStdout()).Encode(struct {
			brief
			*tournament.CrossTable
			FailedShards []arena.FailedShard `json:"troubles,omitempty"`
		}{briefOf(run), cross, failed})
	}
	return cross.WriteText(cmd.OutOrStdout(), run.Plan, failed)
}
