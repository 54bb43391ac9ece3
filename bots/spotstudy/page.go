package spotstudy

import (
	"errors"
	"math"
	"slices"
	"strings"

	"gamebots/acpc/ranges"
	"gamebots/solvers/policy/browse"
	"gamebots/solvers/resolve/spot"
)

// ForPage returns a point of a solved spot as the page shows those of strategies. Its betting is a line, see
// [spot.Solution.At], for which at stands. Where a card comes next there are no players, actions and hands.
func ForPage(s *spot.Solution, at func(line string) (*spot.Node, error), line string) (*browse.Node, error) {
	way, board, err := path(s, at, line)
	if err != nil {
		return nil, err
	}
	node := &browse.Node{Game: "spot", Betting: line, Board: board.Text(), Path: way}
	node.Street = map[int]string{3: "flop", 4: "turn", 5: "river"}[len(board)]
	n, err := at(line)
	if ended := (*spot.LineError)(nil); errors.As(err, &ended) && ended.Deals() && len(board) < 5 {
		return node, nil
	} else if err != nil {
		return nil, err
	}
	node.Position, node.Pot, node.ToCall = n.Player+1, int64(n.Pot), int32(n.Put[1-n.Player]-n.Put[n.Player])
	node.Frequency, node.Grid = &n.Reached, Grid(n)
	for p, name := range spot.PlayerNames {
		held := &ranges.Range{}
		for _, h := range n.Hands[p] {
			held.Set(h.Hole, math.Round(1000*h.Weight)/1000)
		}
		mean := n.Summary(p)
		node.Players = append(node.Players, browse.Player{Name: name, Spent: int32(n.Put[p]), Range: held.String(),
			Value: mean.Value, Equity: mean.Equity})
	}
	summary := n.Summary(n.Player)
	for i, a := range node.Grid.Actions {
		next := strings.TrimSpace(line + " " + n.Actions[i].String())
		ended := (*spot.LineError)(nil)
		over := errors.As(s.Check(next), &ended) && !(ended.Deals() && len(board) < 5 && n.Put[1-n.Player] < n.AllIn)
		node.Actions = append(node.Actions, browse.Action{
			Action: a, Text: string(a.Append(nil)), Name: node.Grid.Names[i], Frequency: summary.Probabilities[i],
			Betting: next, Over: over,
		})
	}
	for _, h := range n.Hands[n.Player] {
		if h.Weight > 0 {
			hand := browse.Hand{Cards: []string{h.Hole.String()}, Reach: h.Weight, Probabilities: h.Probabilities}
			if h.Opposing > 0 {
				hand.Values, hand.Equity = h.Values, h.Equity
			}
			node.Hands = append(node.Hands, hand)
		}
	}
	return node, nil
}

// path returns the steps of a line, and the cards of the board after it.
func path(s *spot.Solution, at func(line string) (*spot.Node, error), line string) ([]browse.Step, spot.Board, error) {
	steps, before, board := []browse.Step{}, "", slices.Clone(s.Spot().Board)
	for step := range strings.FieldsSeq(line) {
		name := step
		if dealt, err := spot.ParseBoard(step); err == nil {
			board = append(board, dealt...)
		} else {
			n, err := at(before)
			if err != nil {
				return nil, nil, err
			}
			if i := slices.IndexFunc(n.Actions, func(a spot.Action) bool { return a.String() == step }); i >= 0 {
				name = Grid(n).Names[i]
			}
		}
		before = strings.TrimSpace(before + " " + step)
		steps = append(steps, browse.Step{Name: name, Betting: before})
	}
	return steps, board, nil
}
