package ratings

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"gamebots/acpc/money"
	"gamebots/bots/arena"
	"gamebots/internal/stats"
	"gamebots/internal/usererr"
)

// WritePoker writes the ranking of a run's players, in the unit of their league.
func WritePoker(w io.Writer, p *arena.Plan, list []PokerStanding, f money.Format) error {
	fmt.Fprintf(w, "%s: %s\n\n", p.Name, p.Game)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	title, _ := f.Column()
	decimals := f.Decimals()
	fmt.Fprintf(table, "\tplayer\t%s\t95%%\t\n", title)
	for i, r := range list {
		won, half := "", ""
		if r.Bankroll != nil {
			won, half = money.Signed(*r.Bankroll, decimals), money.PlusMinus(*r.Interval, decimals)
		}
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t\n", i+1, r.Player, won, half)
	}
	return table.Flush()
}

// WriteBoards writes the ratings of a run's players.
func WriteBoards(w io.Writer, p *arena.Plan, list []BoardStanding) error {
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

// WriteEstimates writes the winnings of players at their tables, counted in chips and by AIVAT.
func WriteEstimates(w io.Writer, p *arena.Plan, estimates []TableEstimate, f money.Format) error {
	title, chip := f.Column()
	decimals := f.Decimals()
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "player\tagainst\thands\t%s\t95%%\tby AIVAT\t95%%\tfewer hands\t\n", title)
	for _, e := range estimates {
		gain := fmt.Sprintf("%.1f times", e.Gain())
		switch {
		case math.IsNaN(e.Gain()):
			gain = ""
		case e.Gain() > ExactGain:
			gain = "exact"
		}
		var others []string
		for _, player := range e.Others {
			others = append(others, p.Players[player].Name)
		}
		fmt.Fprintf(table, "%s\t%s\t%d\t%s\t%s\t%s\t%s\t%s\t\n", p.Players[e.Player].Name,
			strings.Join(others, ", "), e.Hands,
			money.Signed(chip*e.Won.Mean(), decimals), money.PlusMinus(chip*e.Won.Interval95(), decimals),
			money.Signed(chip*e.Estimated.Mean(), decimals), money.PlusMinus(chip*e.Estimated.Interval95(), decimals),
			gain)
	}
	fmt.Fprintln(table)
	return table.Flush()
}

// WriteText writes what a player has won, and for how many hands the estimate stands.
func (e *Estimate) WriteText(w io.Writer, player string, f money.Format) error {
	deals := ""
	if e.Won.N < e.Hands {
		deals = " of " + usererr.Counted(e.Won.N, "deal", "deals")
	}
	fmt.Fprintf(w, "%s: %s%s\n", player, usererr.Counted(e.Hands, "hand", "hands"), deals)
	fmt.Fprintf(w, "won        %s\n", f.Within(e.Won.Mean(), e.Won.Interval95()))
	fmt.Fprintf(w, "estimated  %s\n", f.Within(e.Estimated.Mean(), e.Estimated.Interval95()))
	switch {
	case e.Won.N < 2:
		_, err := fmt.Fprintln(w, "one observation has no interval")
		return err
	case math.IsNaN(e.Gain()) || e.Gain() > ExactGain:
		_, err := fmt.Fprintln(w, "no luck is left: with both strategies known the value is exact")
		return err
	}
	_, err := fmt.Fprintf(w, "counting chips takes %.3g times the hands for the same interval\n", e.Gain())
	return err
}

// JSON returns what a player has won for JSON.
func (e *Estimate) JSON(player string, f money.Format) any {
	unit, chip := f.Data()
	return struct {
		Player            string          `json:"player"`
		Hands             int             `json:"hands"`
		Deals             int             `json:"deals"`
		Won               float64         `json:"won"`
		WonInterval       stats.HalfWidth `json:"won_interval95"`
		Estimated         float64         `json:"estimated"`
		EstimatedInterval stats.HalfWidth `json:"estimated_interval95"`
		Gain              stats.HalfWidth `json:"gain"` // null too if it is unknown
		Unit              string          `json:"unit"`
	}{
		player, e.Hands, e.Won.N, chip * e.Won.Mean(), stats.HalfWidth(chip * e.Won.Interval95()),
		chip * e.Estimated.Mean(), stats.HalfWidth(chip * e.Estimated.Interval95()),
		stats.HalfWidth(e.Gain()), unit,
	}
}
