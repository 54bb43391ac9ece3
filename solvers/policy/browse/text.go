package browse

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"gamebots/acpc/money"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/policy"
)

// Text writes nodes and differences for people.
type Text struct {
	Winnings money.Format // unit of values
	Table    bool         // hands as a table where a grid is the default
	Colour   bool         // a grid in colours of a terminal
	Ranges   bool         // the ranges of all players, too
}

// WriteNode writes a node: its hands, how often it is reached, and its actions.
func (t *Text) WriteNode(w io.Writer, n *Node) error {
	switch {
	case n.Grid == nil || t.Table:
		fmt.Fprintln(w, n.Title())
		if err := t.WriteHands(w, n); err != nil {
			return err
		}
	case t.Colour:
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
	played := slices.ContainsFunc(n.Actions, func(a Action) bool { return a.Frequency > 0 })
	switch {
	case !played:
		fmt.Fprintln(w, "never reached when all play this strategy; possible here are")
	case n.Frequency != nil && n.Board != "":
		fmt.Fprintf(w, "reached in %s of all hands with this board; here it plays\n", percent(*n.Frequency))
	case n.Frequency != nil:
		fmt.Fprintf(w, "reached in %s of all hands; here it plays\n", percent(*n.Frequency))
	default:
		fmt.Fprintln(w, "here it plays")
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, a := range n.Actions {
		fmt.Fprintf(table, "  %s\t%s", a.Typed, a.Name)
		if played {
			fmt.Fprintf(table, "\t%s", percent(a.Frequency))
		}
		fmt.Fprintln(table)
	}
	if err := table.Flush(); err != nil || !t.Ranges {
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

// WriteHands writes the hands of a node as a table.
func (t *Text) WriteHands(w io.Writer, n *Node) error {
	_, chip := t.Winnings.Data()
	unit := ""
	if t.Winnings.Unit() != money.Usual {
		unit = " " + t.Winnings.Symbol()
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "hand\tboard\tbucket\treach")
	valued := slices.ContainsFunc(n.Hands, func(h Hand) bool { return h.Values != nil })
	for _, a := range n.Actions {
		fmt.Fprintf(table, "\t%s", a.Typed)
	}
	for _, a := range n.Actions {
		if valued {
			fmt.Fprintf(table, "\tvalue %s%s", a.Typed, unit)
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

// WriteDifferences writes differences as a table.
func (t *Text) WriteDifferences(w io.Writer, all []Difference) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "betting\thand\tboard\treach\tfirst\tsecond\tdistance\tweighted\tlost")
	for _, d := range all {
		lost := "-"
		if d.Lost != nil {
			lost = t.Winnings.Amount(*d.Lost)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%.3f\t%s\t%s\t%.3f\t%s\t%s\n",
			cmp.Or(d.Betting, "-"), d.Text(), d.Board, d.Reach, mixture(d.Actions, d.Probabilities),
			mixture(d.Actions, d.Second), d.Distance, percent(d.Weighted), lost)
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

// number formats a number so that it is read back as the same.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// WriteCSV writes a line for each hand and action of a node.
func (n *Node) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write([]string{"betting", "position", "hands", "board", "bucket", "reach", "action", "probability", "value"})
	for _, h := range n.Hands {
		for a, p := range h.Probabilities {
			value := ""
			if h.Values != nil {
				value = number(h.Values[a])
			}
			out.Write([]string{n.Betting, strconv.Itoa(n.Position), strings.Join(h.Cards, " "), h.Board,
				strconv.Itoa(h.Bucket), number(h.Reach), n.Actions[a].Text, number(p), value})
		}
	}
	out.Flush()
	return out.Error()
}

// WriteDifferences writes a line of CSV for each hand and action of some differences.
func WriteDifferences(w io.Writer, all []Difference) error {
	out := csv.NewWriter(w)
	out.Write([]string{"betting", "position", "hands", "board", "reach", "action", "first", "second", "weighted",
		"lost"})
	for _, d := range all {
		lost := ""
		if d.Lost != nil {
			lost = number(*d.Lost)
		}
		for a, p := range d.Probabilities {
			out.Write([]string{d.Betting, strconv.Itoa(d.Position), strings.Join(d.Cards, " "), d.Board,
				number(d.Reach), d.Actions[a], number(p), number(d.Second[a]), number(d.Weighted), lost})
		}
	}
	out.Flush()
	return out.Error()
}

// infoSet is an information set as WriteStrategy writes it.
type infoSet struct {
	Betting       string    `json:"betting"`
	Round         int       `json:"round"`    // from 1
	Position      int       `json:"position"` // from 1
	Bucket        int       `json:"bucket"`
	Hole          string    `json:"hole,omitempty"` // one of its hands, if they are listed
	Board         string    `json:"board,omitempty"`
	Actions       []string  `json:"actions"`
	Probabilities []float32 `json:"probabilities"`
}

// WriteStrategy writes all information sets of a strategy, as CSV or as JSON lines.
func WriteStrategy(w io.Writer, p *policy.Policy, asJSON bool) (err error) {
	buffered := bufio.NewWriter(w)
	defer func() {
		if flushed := buffered.Flush(); err == nil {
			err = flushed
		}
	}()
	out, lines := csv.NewWriter(buffered), json.NewEncoder(buffered)
	if !asJSON {
		out.Write([]string{"betting", "round", "position", "bucket", "hole", "board", "action", "probability"})
	}
	for set, err := range p.All() {
		if err != nil {
			return err
		}
		n := &p.Tree.Nodes[set.Node]
		s := infoSet{Betting: set.Betting, Round: int(n.Round) + 1, Position: int(n.Actor) + 1, Bucket: set.Bucket}
		if set.Deal != (abstraction.Deal{}) {
			s.Hole, s.Board = set.Deal.Hole.String(), set.Deal.BoardText()
		}
		for _, c := range set.Choices {
			s.Actions, s.Probabilities = append(s.Actions, c.Action.String()), append(s.Probabilities, c.Probability)
		}
		if asJSON {
			if err := lines.Encode(s); err != nil {
				return err
			}
			continue
		}
		for a, action := range s.Actions {
			probability := strconv.FormatFloat(float64(s.Probabilities[a]), 'g', -1, 32)
			err := out.Write([]string{s.Betting, strconv.Itoa(s.Round), strconv.Itoa(s.Position),
				strconv.Itoa(s.Bucket), s.Hole, s.Board, action, probability})
			if err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}
