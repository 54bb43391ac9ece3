package main

import (
	"github.com/spf13/cobra"

	"gamebots/acpc/money"
	"gamebots/bots/arena"
	"gamebots/bots/arena/ratings"
	"gamebots/bots/arena/store"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"
)

func newArenaRank() *cobra.Command {
	asJSON, byEstimate, threads, unit := false, false, 0, money.Usual
	cmd := onRun("rank [RUN]", "Rank the players of a run, with confidence", "arena_rank", func(
		cmd *cobra.Command, db *store.Store, run *arena.Run,
	) error {
		tallies, err := db.Tallies(cmd.Context(), run)
		if err != nil {
			return err
		}
		sums := arena.Sum(run, tallies)
		format, err := formatOf(run.Plan, unit, asJSON)
		if err != nil {
			return err
		}
		if run.Plan.Kind == arena.Board {
			if byEstimate {
				return usererr.Usagef("--aivat: run %s is of a board game", run.Plan.Name)
			}
			list, err := ratings.BoardStandings(run.Plan, sums)
			switch {
			case err != nil:
				return usererr.WithHint(err, "play more of it")
			case asJSON:
				return cli.PrintList(cmd.OutOrStdout(), true, list)
			}
			return ratings.WriteBoards(cmd.OutOrStdout(), run.Plan, list)
		}
		league, err := ratings.LeagueOf(run.Plan, sums, format)
		if err == nil && byEstimate {
			league, err = estimateArena(cmd, db, run, league, threads, asJSON, format)
		}
		if err != nil {
			return err
		}
		title, _ := format.Column()
		list := ratings.PokerStandings(run.Plan, league, title)
		if asJSON {
			return cli.PrintList(cmd.OutOrStdout(), true, list)
		}
		return ratings.WritePoker(cmd.OutOrStdout(), run.Plan, list, format)
	})
	cli.Bind(cmd, "json", &asJSON, "aivat", &byEstimate, "threads", cli.PerProcessor(&threads), "unit", &unit)
	return cmd
}
