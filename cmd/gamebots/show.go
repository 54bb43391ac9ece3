package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"

	"gamebots/acpc/money"
	"gamebots/bots/poker/tty"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/tabular"
	"gamebots/solvers/nash/extensive"
	"gamebots/solvers/policy"
	"gamebots/solvers/policy/browse"
	"gamebots/solvers/resolve/spot"

	"github.com/spf13/cobra"
)

// showFlags are the flags of show.
type showFlags struct {
	at, board string
	game      string
	all, walk bool
	table     bool
	ranges    bool
	csv, json bool
	svg       string
	color     cli.Colour
	until     string
	memory    cli.Bytes
	unit      money.Unit
	money.Format
}

func newShow() *cobra.Command {
	var f showFlags
	cmd := command("show", "show STRATEGY [STRATEGY]", "Show what a strategy does with each hand", cli.Arguments(1, 2))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := f.check(cmd.Flags().Changed, len(args)); err != nil {
			return err
		}
		if isProfile(args[0]) {
			return f.profiles(cmd, args)
		}
		if f.game != "" {
			return usererr.Usagef("--game is for profiles of extensive games: a strategy file has its game")
		}
		return f.show(cmd, args)
	}
	cli.Bind(cmd, "at", &f.at, "board", &f.board, "walk", &f.walk, "all", &f.all, "table", &f.table,
		"ranges", &f.ranges, "csv", &f.csv, "json", &f.json, "svg", &f.svg, "color", &f.color,
		"until", &f.until, "game", &f.game, "memory", &f.memory, "unit", &f.unit)
	return cmd
}

// check refuses given flags that cannot be combined with each other or with this count of files.
func (f *showFlags) check(given func(flag string) bool, files int) error {
	for _, pair := range [][2]string{
		{"all", "at"}, {"all", "board"}, {"all", "csv"}, {"all", "ranges"}, {"all", "svg"}, {"all", "table"},
		{"all", "walk"},
		{"walk", "csv"}, {"walk", "json"}, {"walk", "svg"},
		{"csv", "json"}, {"csv", "ranges"}, {"csv", "table"}, {"json", "ranges"}, {"json", "table"},
		{"unit", "all"}, {"unit", "csv"}, {"unit", "json"},
	} {
		if given(pair[0]) && given(pair[1]) {
			return usererr.Usagef("--%s and --%s cannot be combined", pair[0], pair[1])
		}
	}
	switch {
	case files == 2 && (f.all || f.walk || f.svg != ""):
		return usererr.Usagef("--all, --walk and --svg are for one strategy")
	case f.until != "" && !slices.Contains(streets, f.until):
		return usererr.Usagef("--until: %q is not flop, turn or river", f.until)
	case f.svg != "" && filepath.Ext(f.svg) != ".svg":
		return usererr.Usagef("--svg: %q is not an .svg file", f.svg)
	}
	return nil
}

// show shows the strategies of some files.
func (f *showFlags) show(cmd *cobra.Command, files []string) error {
	var opened []*browse.Strategy
	for _, name := range files {
		file, g, err := strategyFile(name)
		if err != nil {
			return err
		}
		if spot.IsSaved(file) {
			if len(files) > 1 {
				return usererr.Usagef("%s is a saved spot, which is shown alone", name)
			}
			return f.showSpot(cmd, file)
		}
		if f.until != "" {
			return usererr.Usagef("--until has no effect but on saved spots, and %s is a strategy", name)
		}
		p, err := openPart(cmd, file, g, f.memory.Or(memory.Available))
		if err != nil {
			return err
		}
		defer p.Close()
		if f.all {
			return browse.WriteStrategy(cmd.OutOrStdout(), p, f.json)
		}
		s, err := browse.New(p, runtime.NumCPU())
		if err != nil {
			return err
		}
		opened = append(opened, s)
	}
	first, w := opened[0], cmd.OutOrStdout()
	var err error
	if f.Format, err = f.unit.In(first.Game()); err != nil {
		return usererr.Usage(err)
	}
	point, err := first.Parse(f.at, f.board)
	if err != nil {
		return showError(err)
	}
	if f.walk {
		readLine := cli.LineReader(cmd.Context(), cmd.InOrStdin())
		return tty.Walk(first, point, readLine, w, func(n *browse.Node) error { return f.text(w).WriteNode(w, n) })
	}
	if len(opened) == 2 {
		return f.showBoth(w, files, [2]*browse.Strategy(opened), point)
	}
	node, err := first.At(point)
	if err != nil {
		return showError(err)
	}
	err = f.printNode(w, node, &point)
	if f.svg != "" || f.csv {
		return err
	}
	return cli.Next(cmd, err, "show", files[0], "--walk")
}

// profiles shows one or two profiles of an extensive game.
func (f *showFlags) profiles(cmd *cobra.Command, files []string) error {
	err := onlyFlags(cmd, "only for strategies of poker", "all", "at", "csv", "game", "json")
	if err != nil {
		return err
	}
	g, first, err := openProfile(cmd, files[0], f.game)
	if err != nil {
		return err
	}
	profiles := []extensive.Profile{first}
	if len(files) == 2 {
		second, err := profileOf(files[1], g)
		if err != nil {
			return err
		}
		profiles = append(profiles, second)
	}
	q, err := g.Sequences()
	if err != nil {
		return hintRecall(err)
	}
	rows := tabular.Rows(q, profiles...)
	if f.at != "" {
		rows = slices.DeleteFunc(rows, func(r tabular.Row) bool { return r.Set != usererr.Printed(f.at) })
		if len(rows) == 0 {
			return usererr.WithHint(fmt.Errorf("--at: no information set has the name %s", f.at),
				"without --at all are listed")
		}
	}
	format := "text"
	if f.json {
		format = "json"
	} else if f.csv || f.all {
		format = "csv"
	}
	return tabular.WriteRows(cmd.OutOrStdout(), rows, format)
}

// showBoth shows what two strategies of some files do at a point: in a table, or as two grids
// and the hands that differ most.
func (f *showFlags) showBoth(w io.Writer, files []string, strategies [2]*browse.Strategy, point browse.Point) error {
	first := strategies[0]
	all, err := browse.CompareAt(first, strategies[1], point)
	if err != nil {
		return showError(err)
	}
	var nodes [2]*browse.Node
	for i, s := range strategies {
		if nodes[i], err = s.At(point); err != nil {
			return showError(err)
		}
	}
	if f.csv || f.json || f.table || nodes[0].Grid == nil {
		return f.printDifferences(w, all)
	}
	for i, n := range nodes {
		fmt.Fprintln(w, files[i])
		if err := f.text(w).WriteNode(w, n); err != nil {
			return err
		}
	}
	slices.SortStableFunc(all, func(x, y browse.Difference) int { return cmp.Compare(y.Weighted, x.Weighted) })
	return f.printDifferences(w, all[:min(shownDifferences, len(all))])
}

// shownDifferences is how many hands are listed below two grids.
const shownDifferences = 10

// showError adds advice to an error about a point.
func showError(err error) error {
	missing := (*browse.BoardError)(nil)
	switch {
	case errors.As(err, &missing):
		return usererr.WithHint(err, fmt.Sprintf("--board gives the cards, as in --board %s",
			"AhKs2d7c4s"[:min(10, 2*missing.Cards)]))
	case errors.Is(err, policy.ErrOffTree):
		return usererr.WithHint(err, "--walk lists the actions that it has")
	}
	return err
}

// printNode prints a node in the format of the flags.
func (f *showFlags) printNode(w io.Writer, n *browse.Node, p *browse.Point) error {
	if f.svg != "" {
		if n.Grid == nil {
			return fmt.Errorf("--svg: only two hole cards with a known board have a grid")
		}
		if err := cli.WriteOutput(w, f.svg, n.Grid.WriteSVG); err != nil {
			return err
		}
	}
	switch {
	case f.json:
		return cli.Print(w, true, n)
	case f.csv:
		return n.WriteCSV(w)
	}
	if err := f.text(w).WriteNode(w, n); err != nil {
		return err
	}
	h, ok := n.Held(p.Hole)
	if !ok { // the point has no hole cards
		return nil
	}
	held := *n
	held.Hands = []browse.Hand{h}
	return f.text(w).WriteHands(w, &held)
}

// printDifferences prints what two strategies do in the format of the flags.
func (f *showFlags) printDifferences(w io.Writer, all []browse.Difference) error {
	switch {
	case f.json:
		return cli.Print(w, true, all)
	case f.csv:
		return browse.WriteDifferences(w, all)
	}
	return f.text(w).WriteDifferences(w, all)
}

// text returns how nodes are printed for people.
func (f *showFlags) text(w io.Writer) *browse.Text {
	return &browse.Text{Winnings: f.Format, Table: f.table, Colour: f.color.On(w), Ranges: f.ranges}
}
