package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/acpc/ranges"
	"gamebots/internal/atomicfile"
	"gamebots/solvers/resolve/spot"
)

// spotResult is what solve poker has found.
type spotResult struct {
	solver     *spot.Solver
	spot       *spot.Spot
	evaluation spot.Evaluation
	seconds    float64
	nodes      []*spot.Node
}

// print prints a result in the format of the flags.
func (f *spotFlags) print(w io.Writer, r *spotResult) error {
	if f.svg != "" {
		var image strings.Builder
		if err := spotGrid(r.nodes[0]).WriteSVG(&image); err != nil {
			return err
		}
		if err := atomicfile.Write(f.svg, []byte(image.String())); err != nil {
			return err
		}
	}
	switch {
	case f.json:
		return json.NewEncoder(w).Encode(r.json())
	case f.csv:
		return r.writeCSV(w)
	}
	pot := float64(r.spot.Pot)
	fmt.Fprintf(w, "exploitability %.3g%% of the pot after %d iterations and %.3g s\n",
		100*r.evaluation.Exploitability()/pot, r.solver.Iterations(), r.seconds)
	for p, v := range r.evaluation.Values {
		fmt.Fprintf(w, "%s wins %.2f of %d chips\n", spot.PlayerNames[p], v, r.spot.Pot)
	}
	for _, n := range r.nodes {
		if err := f.printSpotNode(w, n); err != nil {
			return err
		}
	}
	return nil
}

// printSpotNode prints a node for people.
func (f *spotFlags) printSpotNode(w io.Writer, n *spot.Node) error {
	fmt.Fprintln(w)
	g := spotGrid(n)
	write := g.WriteText
	if f.color.On(w) {
		write = g.WriteColour
	}
	if err := write(w); err != nil {
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for p := range n.Hands {
		s := n.Summary(p)
		fmt.Fprintf(table, "%s\t%.1f hands\tvalue %.2f\tequity %s\n", spot.PlayerNames[p], s.Hands, s.Value, percent(s.Equity))
	}
	s := n.Summary(n.Player)
	for a, action := range n.Actions {
		fmt.Fprintf(table, "%v\t%s\t%s\n", action, actionName(action), percent(s.Probabilities[a]))
	}
	if err := table.Flush(); err != nil || !f.table {
		return err
	}
	return printSpotTable(w, n)
}

// printSpotTable prints the hands of a node.
func printSpotTable(w io.Writer, n *spot.Node) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "hand\tweight\tequity\tvalue\t")
	for _, a := range n.Actions {
		fmt.Fprintf(table, "%v\tvalue %v\t", a, a)
	}
	fmt.Fprintln(table)
	for _, h := range n.Hands[n.Player] {
		fmt.Fprintf(table, "%v\t%.3f\t%s\t%.2f\t", h.Hole, h.Weight, percent(h.Equity), h.Value)
		for a, p := range h.Probabilities {
			fmt.Fprintf(table, "%.3f\t%.2f\t", p, h.Values[a])
		}
		fmt.Fprintln(table)
	}
	return table.Flush()
}

// actionName returns an action in words.
func actionName(a spot.Action) string {
	switch a.Kind {
	case spot.Fold:
		return "fold"
	case spot.Check:
		return "check"
	case spot.Call:
		return "call"
	case spot.Bet:
		return fmt.Sprintf("bet %d", a.To)
	}
	return fmt.Sprintf("raise to %d", a.To)
}

// spotGrid returns the classes of the hands of the player who acts.
func spotGrid(n *spot.Node) *ranges.Grid {
	g := &ranges.Grid{Ranks: card.NumRanks, Title: spotTitle(n)}
	for _, a := range n.Actions {
		action := acpc.Action{Type: acpc.Call}
		switch a.Kind {
		case spot.Fold:
			action.Type = acpc.Fold
		case spot.Bet, spot.Raise:
			action = acpc.Action{Type: acpc.Raise, Size: int32(a.To)}
		}
		g.Actions, g.Names = append(g.Actions, action), append(g.Names, actionName(a))
	}
	g.Fill(func(add func(hole card.Set, reach float64, probabilities []float64)) {
		for _, h := range n.Hands[n.Player] {
			add(h.Hole, h.Weight, h.Probabilities)
		}
	})
	return g
}

// spotTitle says where a node is.
func spotTitle(n *spot.Node) string {
	var cards []string
	for _, c := range n.Board {
		cards = append(cards, c.String())
	}
	title := strings.Join(cards, " ")
	if n.Line != "" {
		title += ", " + n.Line
	}
	return fmt.Sprintf("%s, pot %d: the player %s", title, n.Pot, spot.PlayerNames[n.Player])
}

// writeCSV writes a line for each hand and action of the nodes, and one for each hand of the
// player who does not act.
func (r *spotResult) writeCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write([]string{"line", "player", "hand", "weight", "equity", "value", "action", "probability", "action_value"})
	for _, n := range r.nodes {
		for p, name := range []string{"oop", "ip"} {
			for _, h := range n.Hands[p] {
				hand := []string{n.Line, name, h.Hole.String(), number(h.Weight), number(h.Equity), number(h.Value)}
				if p != n.Player {
					out.Write(append(hand, "", "", ""))
					continue
				}
				for a, x := range h.Probabilities {
					out.Write(append(hand[:6:6], n.Actions[a].String(), number(x), number(h.Values[a])))
				}
			}
		}
	}
	out.Flush()
	return out.Error()
}

// spotJSON is a result as JSON.
type spotJSON struct {
	Board          string         `json:"board"`
	Pot            int            `json:"pot"`
	Stack          int            `json:"stack"`
	Iterations     uint64         `json:"iterations"`
	Seconds        float64        `json:"seconds"`
	Entries        int64          `json:"entries"`
	Exploitability float64        `json:"exploitability"` // in chips
	Values         [2]float64     `json:"values"`
	Nodes          []spotNodeJSON `json:"nodes"`
}

type spotNodeJSON struct {
	Line    string         `json:"line"`
	Board   string         `json:"board"`
	Pot     int            `json:"pot"`
	Player  int            `json:"player"`
	Actions []string       `json:"actions"`
	Grid    *ranges.Grid   `json:"grid"`
	Hands   [2][]*handJSON `json:"hands"`
}

type handJSON struct {
	Hand          string    `json:"hand"`
	Weight        float64   `json:"weight"`
	Equity        float64   `json:"equity"`
	Value         float64   `json:"value"`
	Probabilities []float64 `json:"probabilities,omitempty"`
	Values        []float64 `json:"values,omitempty"`
}

func (r *spotResult) json() *spotJSON {
	j := &spotJSON{
		Board: boardText(r.spot.Board), Pot: r.spot.Pot, Stack: r.spot.Stack, Iterations: r.solver.Iterations(), Seconds: r.seconds,
		Entries: r.solver.Entries(), Exploitability: r.evaluation.Exploitability(), Values: r.evaluation.Values,
	}
	for _, n := range r.nodes {
		node := spotNodeJSON{Line: n.Line, Board: boardText(n.Board), Pot: n.Pot, Player: n.Player, Grid: spotGrid(n)}
		for _, a := range n.Actions {
			node.Actions = append(node.Actions, a.String())
		}
		for p, hands := range n.Hands {
			for _, h := range hands {
				node.Hands[p] = append(node.Hands[p], &handJSON{h.Hole.String(), h.Weight, h.Equity, h.Value, h.Probabilities, h.Values})
			}
		}
		j.Nodes = append(j.Nodes, node)
	}
	return j
}

// boardText returns cards as they were dealt.
func boardText(cards []card.Card) string {
	var text []byte
	for _, c := range cards {
		text = c.Append(text)
	}
	return string(text)
}

// number formats a number so that it is read back as the same.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
