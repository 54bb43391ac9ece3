package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"gamebots/acpc/money"
	"gamebots/bots/arena/plan"
	"gamebots/bots/arena/ratings"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"
)

func newArenaRank() *cobra.Command {
	database, asJSON, byEstimate, threads, unit := arenaDatabase, false, false, 0, money.Usual
	cmd := explain(&cobra.Command{
		Use:   "rank [RUN]",
		Short: "Rank the players of a run, with confidence",
		Args:  cli.Arguments(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			db, run, err := viewRun(cmd.Context(), database, args)
			if err != nil {
				return err
			}
			defer db.Close()
			tallies, err := db.Tallies(cmd.Context(), run, 0)
			if err != nil {
				return err
			}
			sums := plan.Sum(run, tallies)
			format, err := formatOf(run.Plan, unit, asJSON)
			if err != nil {
				return err
			}
			if run.Plan.Kind == plan.Board {
				if byEstimate {
					return usererr.Usagef("--aivat: run %s is of a board game", run.Plan.Name)
				}
				return rankBoards(cmd.OutOrStdout(), run.Plan, sums, asJSON)
			}
			league, err := ratings.LeagueOf(run.Plan, sums)
			if err == nil && byEstimate {
				league, err = estimateArena(cmd, db, run, league, threads, asJSON, format)
			}
			if err != nil {
				return err
			}
			return rankPoker(cmd.OutOrStdout(), run.Plan, league, asJSON, format)
		},
	}, "arena_rank")
	cmd.Flags().StringVar(&database, "database", database, "file with the runs")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a line of JSON for each player")
	cmd.Flags().BoolVar(&byEstimate, "aivat", false,
		"rank poker by estimated winnings, where strategy files reduce the variance")
	cli.AddThreads(cmd.Flags(), &threads, "threads for estimates")
	cli.AddUnit(cmd.Flags(), &unit)
	return cmd
}

func rankPoker(w io.Writer, p *plan.Plan, league *ratings.League, asJSON bool, f money.Format) error {
	list, rounds := ratings.PokerStandings(p, league)
	if asJSON {
		return printLines(w, list)
	}
	fmt.Fprintf(w, "%s: %s\n\n", p.Name, p.Game)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	title, scale := f.Rescaled()
	fmt.Fprintf(table, "\tplayer\t%s\t95%%\tby bankroll\tby runoff\t\n", title)
	for _, r := range list {
		won, half := "", ""
		if r.Bankroll != nil {
			won, half = money.Signed(scale**r.Bankroll, 1), money.PlusMinus(scale**r.Interval, 1)
		}
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%v\t%v\t\n", r.Rank.Rank, r.Player, won, half, r.Rank, r.Runoff)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprint(w, "\nout of the runoff in turn:")
	for _, out := range rounds[:len(rounds)-1] {
		fmt.Fprintf(w, " %s", p.Players[out.Player].Name)
		if x := out.Bankrolls[out.Player].Won; !math.IsNaN(x) {
			fmt.Fprintf(w, " %s", money.Signed(scale*x, 1))
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}

// printLines prints objects, one a line.
func printLines[T any](w io.Writer, list []T) error {
	for _, x := range list {
		if err := json.NewEncoder(w).Encode(x); err != nil {
			return err
		}
	}
	return nil
}

func rankBoards(w io.Writer, p *plan.Plan, sums []plan.Tally, asJSON bool) error {
	list, err := ratings.BoardStandings(p, sums)
	if err != nil {
		return usererr.WithHint(err, "play more of it")
	}
	if asJSON {
		return printLines(w, list)
	}
	fmt.Fprintf(w, "%s: %s\n\n", p.Name, p.Game)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "\tplayer\tElo\t95%\tpoints\tgames\t")
	for i, r := range list {
		fmt.Fprintf(table, "%d\t%s\t%+.0f\t%s\t%g\t%g\t\n",
			i+1, r.Player, r.Elo, money.PlusMinus(r.Interval, 0), r.Score, r.Games)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if prior := list[0].Prior; prior > 0 {
		fmt.Fprintf(w,
			"\na player won or lost everything: the ratings include %g more drawn game for each pair\n", prior)
	}
	return nil
}
