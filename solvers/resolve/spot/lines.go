package spot

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"gamebots/acpc/card"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// LineOf returns a betting sequence as [Solution.At] reads it.
func LineOf(actions []Action) string {
	steps := make([]string, len(actions))
	for i, a := range actions {
		steps[i] = a.String()
	}
	return strings.Join(steps, "-")
}

// Allows reports whether the first street has a betting sequence, by the menu or the lines.
func (s *Spot) Allows(line []Action) bool {
	b, at, lines, k := builder{Spot: s}, standing{}, s.Lines, s.first()
	for i, a := range line {
		actions, err := b.actionsWith(k, at, lines)
		if err != nil || !slices.Contains(actions, a) {
			return false
		}
		var n layout.Node
		if at = b.play(&n, a, k, at); n.Kind != layout.Decision && i < len(line)-1 {
			return false
		}
		lines = following(lines, a)
	}
	return true
}

// actionsWith returns the actions of a decision, with those by which lines go on from there.
func (b *builder) actionsWith(k int, s standing, lines [][]Action) ([]Action, error) {
	actions := b.actions(k, s)
	for _, l := range lines {
		if len(l) == 0 || slices.Contains(actions, l[0]) {
			continue
		}
		if a := l[0]; !b.mayRaise(s, a) {
			return nil, &LineError{LineOf(l), a.String(), nil}
		}
		actions = append(actions, l[0])
	}
	slices.SortStableFunc(actions, func(x, y Action) int { return cmp.Compare(x.To, y.To) })
	return actions, nil
}

// mayRaise reports whether an action is a bet or a raise by the rules. How small it may be, only
// the menu cares.
func (b *builder) mayRaise(s standing, a Action) bool {
	own, other := s.put[s.player]-s.base, s.put[1-s.player]-s.base
	kind := Bet
	if other > own {
		kind = Raise
	}
	return a.Kind == kind && a.To > other && a.To <= b.Stack-s.base
}

// following returns what is left of the lines that begin with an action.
func following(lines [][]Action, a Action) (rest [][]Action) {
	for _, l := range lines {
		if len(l) > 1 && l[0] == a {
			rest = append(rest, l[1:])
		}
	}
	return rest
}

// Lines returns an iterator over the lines that lead to decisions with at most so many cards on the board, each after
// those that it begins with. Of cards that differ in names of suits only there is one. Rivers that a file has not are
// solved, one at a time, whose error ends the lines.
func (s *Solution) Lines(most int) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		p, _ := s.find("")
		s.lines("", p, most, yield)
	}
}

// lines is Lines from a point on, and reports whether to go on.
func (s *Solution) lines(line string, p point, most int, yield func(string, error) bool) bool {
	n := &s.Streets[p.street].Nodes[p.node]
	switch n.Kind {
	case layout.Decision:
		if !yield(line, nil) {
			return false
		}
		for i := n.First; i < n.First+int32(n.Actions); i++ {
			a, next := s.taken[p.street][i], p
			next.act(int(n.Actor), a)
			next.node = i
			if !s.lines(join(line, a.String()), next, most, yield) {
				return false
			}
		}
	case layout.Deal:
		if len(p.cards) == most || p.put[0] == s.spot.Stack {
			return true
		}
		on := s.Boards[p.street][p.board]
		if s.saved != nil && p.street == s.saved.last {
			return s.riverLines(line, on, yield)
		}
		for _, d := range on.Deals {
			for c := range (s.Boards[p.street+1][d.Board].Cards &^ on.Cards).All() {
				if !s.lines(join(line, c.String()), s.afterCard(p, c), most, yield) {
					return false
				}
			}
		}
	}
	return true
}

// riverLines is lines for the rivers after a turn, which are solved for it.
func (s *Solution) riverLines(line string, turn *layout.Board, yield func(string, error) bool) bool {
	rivers := layout.NewBoards(turn.Cards, layout.River, s.spot.mayHave, turn.Symmetries, 1)[layout.River]
	for _, b := range rivers {
		var last card.Card
		for c := range (b.Cards &^ turn.Cards).All() {
			last = c
		}
		r, err := s.solveRiver(line, last)
		if err != nil {
			yield("", err)
			return false
		}
		for rest, err := range r.Solution().Lines(layout.River + 3) {
			if !yield(join(r.line, rest), err) {
				return false
			}
		}
	}
	return true
}

// join adds a step to a line.
func join(line, step string) string {
	if line == "" || step == "" {
		return line + step
	}
	return line + " " + step
}
