package spot

import (
	"cmp"
	"slices"
	"strings"

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
