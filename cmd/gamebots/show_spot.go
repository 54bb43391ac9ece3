package main

import (
	"errors"
	"io"
	"runtime"
	"slices"

	"gamebots/bots/spotstudy"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/resolve/spot"

	"github.com/spf13/cobra"
)

// streets are those that a spot has, in their order.
var streets = []string{"flop", "turn", "river"}

// showSpot shows a spot that solve poker has saved.
func (f *showFlags) showSpot(cmd *cobra.Command, file string) (err error) {
	for _, flag := range []string{"board", "differences", "memory", "ranges", "unit"} {
		if cmd.Flags().Changed(flag) {
			return usererr.WithHint(usererr.Usagef("--%s has no effect on a saved spot", flag),
				"cards are steps of its lines, as in --at 'x b60 c 7s'")
		}
	}
	s, err := spot.OpenSaved(file, runtime.NumCPU(), memory.Available())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	w := cmd.OutOrStdout()
	switch {
	case f.all:
		cards := 3 + max(slices.Index(streets, f.until), 0)
		if f.until == "" {
			cards = max(4, len(s.Spot().Board))
		}
		return spotstudy.WriteAll(w, s, cards, f.json)
	case f.walk:
		readLine := cli.LineReader(cmd.Context(), cmd.InOrStdin())
		return spotstudy.Walk(s, f.at, readLine, w, func(n *spot.Node) error {
			return spotstudy.WriteNode(w, n, f.color.On(w), f.table)
		})
	}
	r, err := spotstudy.NewReport(s, s.Meta().Iterations, []string{f.at})
	if err != nil {
		return usererr.Usage(err)
	}
	err = printSpot(w, r, spotFormat{f.table, f.csv, f.json, f.svg, f.color})
	return cli.Next(cmd, err, "play", "poker", file)
}

// spotFormat says how points of a spot are printed.
type spotFormat struct {
	table, csv, json bool
	svg              string
	color            cli.Colour
}

// printSpot prints a result, and draws its first grid.
func printSpot(w io.Writer, r *spotstudy.Report, f spotFormat) error {
	if f.svg != "" {
		if err := cli.WriteOutput(w, f.svg, spotstudy.Grid(r.Nodes[0]).WriteSVG); err != nil {
			return err
		}
	}
	switch {
	case f.json:
		return cli.Print(w, true, r)
	case f.csv:
		return r.WriteCSV(w)
	}
	return r.WriteText(w, f.color.On(w), f.table)
}
