package main

import (
	"fmt"

	"gamebots/acpc/money"
	"gamebots/bots/arena"
	"gamebots/bots/arena/ratings"
	"gamebots/bots/arena/store"
	"gamebots/bots/registry"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/progress"
	"gamebots/internal/usererr"
	"gamebots/solvers/evaluate/aivat"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// estimateArena estimates by AIVAT the winnings of the players with known strategies. It
// prints the estimates unless the output is JSON, and returns the league with them.
func estimateArena(
	cmd *cobra.Command, db *store.Store, run *arena.Run, league *ratings.League, threads int, asJSON bool,
	f money.Format,
) (*ratings.League, error) {
	log := zerolog.Ctx(cmd.Context())
	players := registry.NewPlayers(logTraining)
	defer players.Close()
	strategies, done, err := players.Strategies(cmd.Context(), run.Plan, func(player string, why error) {
		log.Warn().Str("player", player).Err(why).Msg("counted by chips")
	})
	if err != nil {
		return nil, err
	}
	defer done()
	var bar *progress.Count
	estimates, err := ratings.EstimateRun(cmd.Context(), db, run, strategies, threads, func(table, hands int) {
		if hands == 1 {
			if bar != nil {
				bar.Close()
			}
			bar = cli.NewCountBar(cmd.ErrOrStderr(), log, fmt.Sprint(run.Plan.Names(table)), uint64(run.Plan.Games()))
		}
		bar.Update(uint64(hands))
	})
	if bar != nil {
		bar.Close()
	}
	if err != nil {
		return nil, usererr.HintIf(err, aivat.ErrNotPlayed, "a strategy file has changed since the run")
	}
	if len(estimates) == 0 {
		return nil, usererr.WithHint(fmt.Errorf("run %s: no player has a strategy file", run.Plan.Name),
			"leave --aivat out")
	}
	if !asJSON {
		if err := ratings.WriteEstimates(cmd.OutOrStdout(), run.Plan, estimates, f); err != nil {
			return nil, err
		}
	}
	return league.Estimated(run.Plan, estimates, f), nil
}
