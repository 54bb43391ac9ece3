package browse

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/policy"
)

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
