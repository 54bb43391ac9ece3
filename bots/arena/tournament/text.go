package tournament

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"gamebots/acpc/money"
	"gamebots/bots/arena"
	"gamebots/internal/usererr"
)

// WriteText writes the standings and the cross table of a plan's run, and the shards that failed.
func (c *CrossTable) WriteText(w io.Writer, p *arena.Plan, failed []arena.FailedShard) error {
	fmt.Fprintf(w, "%s: %s, %d of %d games\n\n", p.Name, p.Game, c.Played, p.Games()*len(p.Tables))
	number := func(x float64) string { return money.Signed(x, c.decimals) }
	if p.Kind == arena.Board {
		number = func(x float64) string { return fmt.Sprintf("%.3f", x) }
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "\tplayer\t%s\t95%%\tgames\t", c.Unit)
	pairs := len(p.Orders[0]) == 2 && len(p.Players) > 2
	if pairs {
		for _, s := range c.Players {
			fmt.Fprintf(table, "%s\t", s.Name)
		}
	}
	fmt.Fprintln(table)
	for i, s := range c.Players {
		if s.Games == 0 {
			fmt.Fprintf(table, "\t%s\t\t\t0\t\n", s.Name)
			continue
		}
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%d\t", i+1, s.Name, number(s.Mean),
			money.PlusMinus(float64(s.Interval), c.decimals), s.Games)
		if pairs {
			for _, o := range c.Players {
				if x := c.Pair(s.Name, o.Name); x != nil {
					fmt.Fprintf(table, "%s %s\t", number(x.Mean), money.PlusMinus(float64(x.Interval), c.decimals))
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
	for _, x := range c.Tables {
		if x.Decided != "" {
			fmt.Fprintf(w, "%s: %s\n", strings.Join(x.Names, " against "), x.Decided)
		}
	}
	for _, s := range c.Players {
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
