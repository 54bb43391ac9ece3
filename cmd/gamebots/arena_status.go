package main

import (
	"context"
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
		briefs := make([]brief, len(runs))
		for i, r := range runs {
			briefs[i] = briefOf(r)
		}
		return cli.PrintList(cmd.OutOrStdout(), asJSON, briefs)
	}
	cli.Bind(cmd, "database", &database, "json", &asJSON)
	return cmd
}

// brief is the entry of a run in the list.
type brief struct {
	Run     string  `json:"run"`
	Kind    string  `json:"kind" text:"-"` // "poker" or "board"
	Game    string  `json:"game"`
	Players int     `json:"players"`
	Tables  int     `json:"tables"`
	Games   int     `json:"games"` // planned hands or games
	Stored  int     `json:"stored" text:"-"`
	Shards  int     `json:"shards" text:"-"`
	Done    float64 `json:"-" text:"done,%.0f%%"`
	// Times are in RFC 3339 format, truncated to the second.
	Begun time.Time `json:"begun"`
	Ended time.Time `json:"ended,omitzero" text:"-"`
}

func briefOf(r *arena.Run) brief {
	p := r.Plan
	return brief{
		Run: p.Name, Kind: p.Kind, Game: p.Game, Players: len(p.Players), Tables: len(p.Tables),
		Games: p.Games() * len(p.Tables), Stored: r.Stored, Shards: r.Shards(),
		Done:  100 * float64(r.Stored) / float64(r.Shards()),
		Begun: r.Created.Truncate(time.Second), Ended: r.Ended.Truncate(time.Second),
	}
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
		return cli.Print(cmd.OutOrStdout(), true, struct {
			brief
			*tournament.CrossTable
			FailedShards []arena.FailedShard `json:"troubles,omitempty"`
		}{briefOf(run), cross, failed})
	}
	return cross.WriteText(cmd.OutOrStdout(), run.Plan, failed)
}
