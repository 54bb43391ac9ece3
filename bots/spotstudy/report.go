package spotstudy

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/acpc/ranges"
	"gamebots/internal/usererr"
	"gamebots/solvers/resolve/spot"
)

// Report is what was found in a spot.
type Report struct {
	Spot       *spot.Spot
	Evaluation spot.Evaluation
	Iterations uint64
	Entries    int64   // values in memory, 0 for a file
	Seconds    float64 // time of the iterations, 0 for a file
	Nodes      []*spot.Node
}

// NewReport returns what a solution has after some iterations at the decisions that lines lead to.
func NewReport(s *spot.Solution, iterations uint64, lines []string) (*Report, error) {
	r := &Report{Spot: s.Spot(), Evaluation: s.Evaluate(), Iterations: iterations}
	if err := s.Err(); err != nil {
		return nil, err
	}
	for _, line := range lines {
		n, err := s.At(line)
		if err != nil {
			return nil, err
		}
		r.Nodes = append(r.Nodes, n)
	}
	return r, nil
}

// WriteText writes the report for people, with colours if colour is true, and a table of all hands if
// table is.
func (r *Report) WriteText(w io.Writer, colour, table bool) error {
	fmt.Fprintf(w, "exploitability %.3g%% of the pot after %s",
		100*r.Evaluation.Exploitability()/float64(r.Spot.Pot), usererr.Iterations(r.Iterations))
	if r.Seconds > 0 {
		fmt.Fprintf(w, " and %.3g s", r.Seconds)
	}
	fmt.Fprintln(w)
	for p, v := range r.Evaluation.Values {
		fmt.Fprintf(w, "%s wins %s of %d chips\n", spot.PlayerNames[p], chips(v), r.Spot.Pot)
	}
	for _, n := range r.Nodes {
		fmt.Fprintln(w)
		if err := WriteNode(w, n, colour, table); err != nil {
			return err
		}
	}
	return nil
}

// WriteNode writes a decision for people, as WriteText does.
func WriteNode(w io.Writer, n *spot.Node, colour, table bool) error {
	write := Grid(n).WriteText
	if colour {
		write = Grid(n).WriteColour
	}
	err := write(w)
	if err == nil && n.Line != "" {
		_, err = fmt.Fprintln(w, reach(n))
	}
	if err == nil {
		err = writeSummary(w, n)
	}
	if err == nil && table {
		err = writeTable(w, n)
	}
	return err
}

// writeSummary writes what the players hold at a node, and how often actions are played.
func writeSummary(w io.Writer, n *spot.Node) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for p := range n.Hands {
		s := n.Summary(p)
		hands := fmt.Sprintf("%.1f", s.Hands)
		if s.Hands < 0.1 {
			hands = fmt.Sprintf("%.2g", s.Hands)
		}
		fmt.Fprintf(table, "%s\t%s hands\tvalue %s\tequity %s\n",
			spot.PlayerNames[p], hands, chips(s.Value), percent(s.Equity))
	}
	s, turn := n.Summary(n.Player), n.Turn()
	for a, c := range turn.Choices {
		fmt.Fprintf(table, "%v\t%s\t%s\n", n.Actions[a], turn.Name(c), percent(s.Probabilities[a]))
	}
	return table.Flush()
}

func percent(p float64) string { return fmt.Sprintf("%.3g%%", 100*p) }

// chips returns an amount with two decimals, and without the sign of a zero.
func chips(x float64) string { return fmt.Sprintf("%.2f", math.Round(100*x)/100+0) }

// hardlyReached is the part of the hands below which the play at a point says little: it adds
// nothing to exploitability, so that the solver may leave it as it is.
const hardlyReached = 1e-3

// reach says how often a node is reached.
func reach(n *spot.Node) string {
	switch {
	case n.Reached == 0:
		return "the point is never reached, so that what is shown is not solved"
	case n.Reached < hardlyReached:
		return "the point is reached in " + percent(n.Reached) + " of the hands, so that what is shown is hardly solved"
	}
	return "the point is reached in " + percent(n.Reached) + " of the hands"
}

// writeTable writes the hands of a node.
func writeTable(w io.Writer, n *spot.Node) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "hand\tweight\tequity\tvalue\t")
	for _, a := range n.Actions {
		fmt.Fprintf(table, "%v\tvalue %v\t", a, a)
	}
	fmt.Fprintln(table)
	for _, h := range n.Hands[n.Player] {
		known := func(text string) string {
			if h.Opposing == 0 { // the other player cannot hold any hand
				return "-"
			}
			return text
		}
		fmt.Fprintf(table, "%v\t%.3f\t%s\t%s\t", h.Hole, h.Weight, known(percent(h.Equity)), known(chips(h.Value)))
		for a, p := range h.Probabilities {
			fmt.Fprintf(table, "%.3f\t%s\t", p, known(chips(h.Values[a])))
		}
		fmt.Fprintln(table)
	}
	return table.Flush()
}

// Grid returns the classes of the hands of the player who acts.
func Grid(n *spot.Node) *ranges.Grid {
	g := &ranges.Grid{Ranks: card.NumRanks, Title: title(n)}
	turn := n.Turn()
	for _, c := range turn.Choices {
		g.Actions = append(g.Actions, acpc.Action{Type: c.Type, Size: c.To})
		g.Names = append(g.Names, turn.Name(c))
	}
	g.Fill(func(add func(hole card.Set, reach float64, probabilities []float64)) {
		for _, h := range n.Hands[n.Player] {
			add(h.Hole, h.Weight, h.Probabilities)
		}
	})
	return g
}

// title says where a node is.
func title(n *spot.Node) string {
	where := strings.Trim(fmt.Sprint(n.Board), "[]")
	if n.Line != "" {
		where += ", " + n.Line
	}
	return fmt.Sprintf("%s, pot %d: the player %s", where, n.Pot, spot.PlayerNames[n.Player])
}

// WriteCSV writes a line for each hand and action of the nodes, and one for each hand of the
// player who does not act.
func (r *Report) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write(columns)
	for _, n := range r.Nodes {
		writeRows(out, n)
	}
	out.Flush()
	return out.Error()
}

// columns are those of CSV.
var columns = []string{"line", "player", "hand", "weight", "equity", "value", "action", "probability", "action_value"}

// writeRows writes the lines of a node.
func writeRows(out *csv.Writer, n *spot.Node) {
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

// WriteAll writes all decisions of a solution with at most so many cards on the board, see [spot.Solution.Lines]: as
// CSV, or as lines of JSON with a node each.
func WriteAll(w io.Writer, s *spot.Solution, cards int, asJSON bool) error {
	buffered := bufio.NewWriter(w)
	rows, lines := csv.NewWriter(buffered), json.NewEncoder(buffered)
	if !asJSON {
		rows.Write(columns)
	}
	for line, err := range s.Lines(cards) {
		if err != nil {
			return err
		}
		n, err := s.At(line)
		if err != nil {
			return err
		}
		if asJSON {
			err = lines.Encode(nodeOf(n))
		} else {
			writeRows(rows, n)
			rows.Flush()
			err = rows.Error()
		}
		if err != nil {
			return err
		}
	}
	return buffered.Flush()
}

// reportJSON is a report as JSON.
type reportJSON struct {
	Board          spot.Board `json:"board"`
	Pot            int        `json:"pot"`
	Stack          int        `json:"stack"`
	Iterations     uint64     `json:"iterations"`
	Seconds        float64    `json:"seconds"`
	Entries        int64      `json:"entries"`
	Exploitability float64    `json:"exploitability"` // chips
	Values         [2]float64 `json:"values"`
	Nodes          []nodeJSON `json:"nodes"`
}

type nodeJSON struct {
	Line    string         `json:"line"`
	Board   spot.Board     `json:"board"`
	Pot     int            `json:"pot"`
	Player  int            `json:"player"`
	Reached float64        `json:"reached"`
	Actions []string       `json:"actions"`
	Grid    *ranges.Grid   `json:"grid,omitempty"`
	Hands   [2][]*handJSON `json:"hands"`
}

type handJSON struct {
	Hand          string    `json:"hand"`
	Weight        float32   `json:"weight"` // as it is computed, and so are probabilities
	Equity        float64   `json:"equity"`
	Value         float64   `json:"value"`
	Probabilities []float32 `json:"probabilities,omitempty"`
	Values        []float64 `json:"values,omitempty"`
}

// JSON returns the report for JSON.
func (r *Report) JSON() any {
	j := &reportJSON{
		Board: r.Spot.Board, Pot: r.Spot.Pot, Stack: r.Spot.Stack, Iterations: r.Iterations,
		Seconds: r.Seconds, Entries: r.Entries,
		Exploitability: r.Evaluation.Exploitability(), Values: r.Evaluation.Values,
	}
	for _, n := range r.Nodes {
		node := nodeOf(n)
		node.Grid = Grid(n)
		j.Nodes = append(j.Nodes, node)
	}
	return j
}

// nodeOf returns a node as JSON, without its grid.
func nodeOf(n *spot.Node) nodeJSON {
	node := nodeJSON{Line: n.Line, Board: n.Board, Pot: n.Pot, Player: n.Player, Reached: n.Reached}
	for _, a := range n.Actions {
		node.Actions = append(node.Actions, a.String())
	}
	for p, hands := range n.Hands {
		for _, h := range hands {
			hand := &handJSON{
				Hand: h.Hole.String(), Weight: float32(h.Weight), Equity: h.Equity, Value: h.Value, Values: h.Values,
			}
			for _, x := range h.Probabilities {
				hand.Probabilities = append(hand.Probabilities, float32(x))
			}
			node.Hands[p] = append(node.Hands[p], hand)
		}
	}
	return node
}

// number formats a number so that it is read back as the same.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// lockColumns are the columns of CSV from which a lock is read; others are ignored.
var lockColumns = []string{"line", "hand", "action", "probability"}

// ReadLocks reads locks from CSV as [Report.WriteCSV] writes it, with a line for each hand and
// action of one or more points. The actions of a hand follow each other in their order.
func ReadLocks(in io.Reader) (locks []spot.Lock, err error) {
	r := csv.NewReader(in)
	header, err := r.Read()
	if err == io.EOF {
		return nil, errors.New("the file is empty")
	}
	if err != nil {
		return nil, err
	}
	header[0] = strings.TrimPrefix(header[0], "\ufeff") // with which spreadsheets begin UTF-8
	var columns []int
	for _, name := range lockColumns {
		column := slices.Index(header, name)
		if column < 0 {
			return nil, fmt.Errorf("there is no column %q", name)
		}
		columns = append(columns, column)
	}
	for {
		record, err := r.Read()
		if err == io.EOF {
			return locks, nil
		}
		if err != nil {
			return nil, err
		}
		field := func(i int) string { return record[columns[i]] }
		line, hand, action, probability := field(0), field(1), field(2), field(3)
		if action == "" {
			continue // a hand of the player who does not act
		}
		at, _ := r.FieldPos(columns[3])
		hole, err := card.ParseSet(hand)
		if err != nil || hole.Len() != 2 || len(hand) != 4 {
			return nil, fmt.Errorf("line %d: %q is not two cards", at, hand)
		}
		p, err := strconv.ParseFloat(strings.TrimSpace(probability), 64)
		if err != nil || !(p >= 0 && p <= 1) {
			return nil, fmt.Errorf("line %d: %q is not a probability", at, probability)
		}
		if len(locks) == 0 || locks[len(locks)-1].Line != line {
			locks = append(locks, spot.Lock{Line: line, Hands: map[card.Set]map[string]float64{}})
		}
		hands := locks[len(locks)-1].Hands
		if hands[hole] == nil {
			hands[hole] = map[string]float64{}
		}
		hands[hole][action] = p
	}
}
