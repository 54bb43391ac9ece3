package spots

import (
	"errors"
	"math"
	"strings"

	"gamebots/acpc/card"
	"gamebots/acpc/ranges"
	"gamebots/solvers/policy/browse"
	"gamebots/solvers/resolve/spot"
)

// ForPage returns a decision of the solution of a river as the page shows those of strategies. Its betting is a
// line, see [spot.Solution.At].
func ForPage(s *spot.Solution, line string) (*browse.Node, error) {
	n, err := s.At(line)
	if err != nil {
		return nil, err
	}
	node := &browse.Node{
		Game: "spot", Betting: line, Board: card.SetOf(n.Board...).String(), Street: "river", Position: n.Player + 1,
		Pot: int64(n.Pot), ToCall: int32(n.Put[1-n.Player] - n.Put[n.Player]), Frequency: &n.Reached,
		Grid: Grid(n),
	}
	for p, name := range spot.PlayerNames {
		held := &ranges.Range{}
		for _, h := range n.Hands[p] {
			held.Set(h.Hole, math.Round(1000*h.Weight)/1000)
		}
		node.Players = append(node.Players, browse.Player{Name: name, Spent: int32(n.Put[p]), Range: held.String()})
	}
	if node.Path, err = path(s, line); err != nil {
		return nil, err
	}
	summary := n.Summary(n.Player)
	for i, a := range node.Grid.Actions {
		next := strings.TrimSpace(line + " " + n.Actions[i].String())
		ended := (*spot.LineError)(nil)
		node.Actions = append(node.Actions, browse.Action{
			Action: a, Text: string(a.Append(nil)), Name: node.Grid.Names[i], Frequency: summary.Probabilities[i],
			Betting: next, Over: errors.As(s.Check(next), &ended),
		})
	}
	for _, h := range n.Hands[n.Player] {
		if h.Weight > 0 {
			hand := browse.Hand{Cards: []string{h.Hole.String()}, Reach: h.Weight, Probabilities: h.Probabilities}
			if h.Opposing > 0 {
				hand.Values = h.Values
			}
			node.Hands = append(node.Hands, hand)
		}
	}
	return node, nil
}

// path returns the actions of a line.
func path(s *spot.Solution, line string) ([]browse.Step, error) {
	steps, at := []browse.Step{}, ""
	for step := range strings.FieldsSeq(line) {
		n, err := s.At(at)
		if err != nil {
			return nil, err
		}
		at = strings.TrimSpace(at + " " + step)
		for i, name := range Grid(n).Names {
			if n.Actions[i].String() == step {
				steps = append(steps, browse.Step{Name: name, Betting: at})
			}
		}
	}
	return steps, nil
}
