package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"gamebots/acpc/money"
	"gamebots/bots/arena/plan"
	"gamebots/bots/arena/ratings"
	"gamebots/cmd/gamebots/internal/figures"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"
)

func newArenaRank() *cobra.Command {
	database, asJSON, byEstimate, threads := arenaDatabase, false, false, 0
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
			if run.Plan.Kind == plan.Board {
				if byEstimate {
					return usererr.Usagef("--aivat: run %s is of a board game", run.Plan.Name)
				}
				return rankBoards(cmd.OutOrStdout(), run.Plan, sums, asJSON)
			}
			league, err := ratings.LeagueOf(run.Plan, sums)
			if err == nil && byEstimate {
				league, err = estimateArena(cmd, db, run, league, threads, asJSON)
			}
			if err != nil {
				return err
			}
			return rankPoker(cmd.OutOrStdout(), run.Plan, league, asJSON)
		},
	}, "arena_rank")
	cmd.Flags().StringVar(&database, "database", database, "file with the runs")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a line of JSON for each player")
	cmd.Flags().BoolVar(&byEstimate, "aivat", false, "rank poker by estimated winnings, where strategy files reduce the variance")
	cli.AddThreads(cmd.Flags(), &threads, "threads for estimates")
	return cmd
}

// rankDraws is how often the results are resampled.
const rankDraws = 10_000

// pokerRank is a player's row in a poker ranking.
type pokerRank struct {
	Player   string   `json:"player"`
	Bankroll *float64 `json:"bankroll"` // nil for a player without a result
	Interval *float64 `json:"interval95"`
	Rank     rankSpan `json:"rank"`
	Runoff   rankSpan `json:"runoff"`
}

// rankSpan is a rank with its 95% interval and the share of draws in which it was first.
type rankSpan struct {
	Rank  int     `json:"rank"`
	Best  int     `json:"best"`
	Worst int     `json:"worst"`
	First float64 `json:"first"`
}

func (s rankSpan) String() string {
	return fmt.Sprintf("%d (%d-%d) %3.0f%%", s.Rank, s.Best, s.Worst, 100*s.First)
}

func rankPoker(w io.Writer, p *plan.Plan, league *ratings.League, asJSON bool) error {
	rolls, rounds := league.Bankrolls(league.All()), league.Runoff()
	ranks, runoff := ratings.Ranks(rolls), ratings.RunoffRanks(rounds)
	spans, runoffSpans := league.Bootstrap(rankDraws, 1)
	list := make([]pokerRank, len(p.Players))
	for i, e := range p.Players {
		list[i] = pokerRank{Player: e.Name, Rank: spanOf(ranks[i], spans[i]), Runoff: spanOf(runoff[i], runoffSpans[i])}
		if !math.IsNaN(rolls[i].Won) {
			list[i].Bankroll, list[i].Interval = &rolls[i].Won, &rolls[i].Interval95
		}
	}
	slices.SortFunc(list, func(a, b pokerRank) int { return cmp.Compare(a.Rank.Rank, b.Rank.Rank) })
	if asJSON {
		return printLines(w, list)
	}
	fmt.Fprintf(w, "%s: %s\n\n", p.Name, p.Game)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "\tplayer\tmb a hand\t95%\tby bankroll\tby runoff\t")
	for _, r := range list {
		won, half := "", ""
		if r.Bankroll != nil {
			won, half = money.Signed(*r.Bankroll, 1), figures.PlusMinus(*r.Interval, 1)
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
			fmt.Fprintf(w, " %s", money.Signed(x, 1))
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}

func spanOf(rank int, s ratings.RankInterval) rankSpan {
	return rankSpan{rank, s.Best, s.Worst, s.First}
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

// boardRank is a player's line in a ranking of board games.
type boardRank struct {
	Player   string  `json:"player"`
	Elo      float64 `json:"elo"`
	Interval float64 `json:"interval95"`
	Score    float64 `json:"score"`
	Games    float64 `json:"games"`
	Prior    float64 `json:"prior"` // drawn games added to each pair
}

func rankBoards(w io.Writer, p *plan.Plan, sums []plan.Tally, asJSON bool) error {
	results := ratings.EncountersOf(p, sums)
	rated, err := ratings.Rate(len(p.Players), results)
	if err != nil {
		return usererr.WithHint(fmt.Errorf("run %s: %w", p.Name, err), "play more of it")
	}
	list := make([]boardRank, len(p.Players))
	for i, e := range p.Players {
		list[i] = boardRank{Player: e.Name, Elo: rated.Elo[i], Interval: rated.Interval95(i), Prior: rated.Prior}
	}
	for _, r := range results {
		list[r.A].Score += r.Score
		list[r.B].Score += r.Games - r.Score
		list[r.A].Games += r.Games
		list[r.B].Games += r.Games
	}
	slices.SortStableFunc(list, func(a, b boardRank) int { return cmp.Compare(b.Elo, a.Elo) })
	if asJSON {
		return printLines(w, list)
	}
	fmt.Fprintf(w, "%s: %s\n\n", p.Name, p.Game)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "\tplayer\tElo\t95%\tpoints\tgames\t")
	for i, r := range list {
		fmt.Fprintf(table, "%d\t%s\t%+.0f\t%s\t%g\t%g\t\n", i+1, r.Player, r.Elo, figures.PlusMinus(r.Interval, 0), r.Score, r.Games)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if rated.Prior > 0 {
		fmt.Fprintf(w, "\na player won or lost everything: the ratings include %g more drawn game for each pair\n", rated.Prior)
	}
	return nil
}
