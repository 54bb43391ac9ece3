package main

import (
	"encoding/json"
	"fmt"
	"io"

	"gamebots/cmd/internal/cli"
	"gamebots/solvers/policy/browse"
)

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
		return json.NewEncoder(w).Encode(n)
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
		return json.NewEncoder(w).Encode(all)
	case f.csv:
		return browse.WriteDifferences(w, all)
	}
	return f.text(w).WriteDifferences(w, all)
}

// text returns how nodes are printed for people.
func (f *showFlags) text(w io.Writer) *browse.Text {
	return &browse.Text{Winnings: f.Format, Table: f.table, Colour: f.color.On(w), Ranges: f.ranges}
}
