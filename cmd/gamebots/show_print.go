package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"gamebots/acpc/money"
	"gamebots/internal/atomicfile"
	"gamebots/solvers/policy/browse"
)

// printNode prints a node in the format of the flags.
func (f *showFlags) printNode(w io.Writer, n *browse.Node, p *browse.Point) error {
	if f.svg != "" {
		if n.Grid == nil {
			return fmt.Errorf("--svg: only two hole cards with a known board have a grid")
		}
		var image strings.Builder
		if err := n.Grid.WriteSVG(&image); err != nil {
			return err
		}
		if err := atomicfile.Write(f.svg, []byte(image.String())); err != nil {
			return err
		}
	}
	switch {
	case f.json:
		return json.NewEncoder(w).Encode(n)
	case f.csv:
		return n.WriteCSV(w)
	}
	if err := f.printText(w, n); err != nil {
		return err
	}
	h, ok := n.Held(p.Hole)
	if !ok { // the point has no hole cards
		return nil
	}
	held := *n
	held.Hands = []browse.Hand{h}
	return f.printTable(w, &held)
}

// printText prints a node for people.
func (f *showFlags) printText(w io.Writer, n *browse.Node) error {
	switch {
	case n.Grid == nil || f.table:
		fmt.Fprintln(w, n.Title())
		if err := f.printTable(w, n); err != nil {
			return err
		}
	case f.color.On(w):
		if err := n.Grid.WriteColour(w); err != nil {
			return err
		}
	default:
		if err := n.Grid.WriteText(w); err != nil {
			return err
		}
	}
	if n.Mapped > 0 {
		fmt.Fprintf(w, "raises that the strategy does not know, taken for others: %d\n", n.Mapped)
	}
	switch {
	case n.Frequency != nil && n.Board != "":
		fmt.Fprintf(w, "reached in %s of all hands with this board; here it plays\n", percent(*n.Frequency))
	case n.Frequency != nil:
		fmt.Fprintf(w, "reached in %s of all hands; here it plays\n", percent(*n.Frequency))
	default:
		fmt.Fprintln(w, "here it plays")
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, a := range n.Actions {
		fmt.Fprintf(table, "  %s\t%s\t%s\n", a.Text, a.Name, percent(a.Frequency))
	}
	if err := table.Flush(); err != nil || !f.ranges {
		return err
	}
	for p, player := range n.Players {
		if player.Range != "" && !player.Folded {
			fmt.Fprintf(w, "range of position %d: %s\n", p+1, player.Range)
		}
	}
	return nil
}

// percent formats a probability.
func percent(p float64) string { return fmt.Sprintf("%.3g%%", 100*p) }

// printTable prints the hands of a node.
func (f *showFlags) printTable(w io.Writer, n *browse.Node) error {
	unit, chip := f.Data()
	if unit = " " + unit; f.unit == money.Usual {
		unit = ""
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "hand\tboard\tbucket\treach")
	valued := slices.ContainsFunc(n.Hands, func(h browse.Hand) bool { return h.Values != nil })
	for _, a := range n.Actions {
		fmt.Fprintf(table, "\t%s", a.Text)
	}
	for _, a := range n.Actions {
		if valued {
			fmt.Fprintf(table, "\tvalue %s%s", a.Text, unit)
		}
	}
	fmt.Fprintln(table)
	for _, h := range n.Hands {
		fmt.Fprintf(table, "%s\t%s\t%d\t%.4f", h.Text(), h.Board, h.Bucket, h.Reach)
		for _, p := range h.Probabilities {
			fmt.Fprintf(table, "\t%.4f", p)
		}
		for a := range n.Actions {
			switch {
			case h.Values != nil:
				fmt.Fprintf(table, "\t%+.4f", chip*h.Values[a])
			case valued:
				fmt.Fprint(table, "\t-")
			}
		}
		fmt.Fprintln(table)
	}
	return table.Flush()
}

// printDifferences prints what two strategies do in the format of the flags.
func (f *showFlags) printDifferences(w io.Writer, all []browse.Difference) error {
	switch {
	case f.json:
		return json.NewEncoder(w).Encode(all)
	case f.csv:
		return browse.WriteDifferences(w, all)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "betting\thand\tboard\treach\tfirst\tsecond\tdistance\tweighted\tlost")
	for _, d := range all {
		lost := "-"
		if d.Lost != nil {
			lost = f.Amount(*d.Lost)
		}
		betting := d.Betting
		if betting == "" {
			betting = "-"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%.3f\t%s\t%s\t%.3f\t%s\t%s\n", betting, d.Text(), d.Board, d.Reach,
			mixture(d.Actions, d.Probabilities), mixture(d.Actions, d.Second), d.Distance, percent(d.Weighted), lost)
	}
	return table.Flush()
}

// mixture formats the probabilities of actions.
func mixture(actions []string, probabilities []float64) string {
	var items []string
	for a, p := range probabilities {
		items = append(items, fmt.Sprintf("%s %.3f", actions[a], p))
	}
	return strings.Join(items, " ")
}
