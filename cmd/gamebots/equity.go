package main

import (
	"errors"
	"fmt"
	"text/tabwriter"

	"gamebots/acpc/ranges"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"
	"gamebots/solvers/resolve/spot"

	"github.com/spf13/cobra"
)

// equityFlags are the flags of equity.
type equityFlags struct {
	board       string
	exact, json bool
	threads     int
}

func newEquity() *cobra.Command {
	var f equityFlags
	cmd := command("equity", "equity RANGE RANGE...",
		"Compute the equities of ranges of hold'em hands", cli.Arguments(2, spot.MaxRanges))
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) }
	cli.Bind(cmd, "board", &f.board, "exact", &f.exact, "json", &f.json, "threads", cli.PerProcessor(&f.threads))
	return cmd
}

// run prints the equities of ranges.
func (f *equityFlags) run(cmd *cobra.Command, texts []string) error {
	var of []*ranges.Range
	for _, text := range texts {
		r, err := ranges.Parse(text)
		if err != nil {
			return usererr.WithHint(usererr.Usage(err), "a range is as in 'QQ+,AKs,KJs:0.5'")
		}
		of = append(of, r)
	}
	cards, err := spot.ParseBoard(f.board)
	if err != nil {
		return usererr.Usage(fmt.Errorf("--%w", err))
	}
	all, err := cli.Phase(cmd, "dealing boards", func(progress func(part float64)) ([]spot.Equity, error) {
		return spot.Equities(cmd.Context(), of, cards, f.exact, f.threads, progress)
	})
	if e := (*spot.FieldError)(nil); errors.As(err, &e) {
		return usererr.Usagef("--board: %s", e.Msg)
	}
	if err != nil {
		return err
	}
	if f.json {
		for p := range all {
			all[p].Range = texts[p]
		}
		return cli.Print(cmd.OutOrStdout(), true, all)
	}
	table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "equity\twin\ttie\t  range\n")
	for p, e := range all {
		interval := ""
		if e.Interval > 0 {
			interval = fmt.Sprintf(" ± %.3f%%", 100*e.Interval)
		}
		fmt.Fprintf(table, "%.3f%%%s\t%.3f%%\t%.3f%%\t  %s\n", 100*e.Equity, interval, 100*e.Win, 100*e.Tie, texts[p])
	}
	return table.Flush()
}
