package spot

import (
	"errors"
	"slices"

	"gamebots/solvers/resolve/spot/internal/layout"
)

// warmIterations are those that count as done after StartFrom. With fewer of them discounts forget at once what was
// taken over; with more, what was taken over weighs too much in the average. Turns and rivers whose ranges have
// changed a little need half as many iterations to 1% of the pot from 5 or 10 on, and those with a new bet are half as
// exploitable after 10 more.
const warmIterations = 5

// ErrOtherState is the error for a solver that cannot start from another one, as their boards or bits differ or
// one is on a device.
var ErrOtherState = errors.New("no solution of the same boards")

// StartFrom starts with the regrets and strategies of a solver of the same public state, whose ranges and bets may
// differ, instead of none. Hands and bets that it has not got start with none. Neither may be on a device.
func (s *Solver) StartFrom(other *Solver) error {
	if s.quantized != other.quantized || other.dealt != nil ||
		s.onDevice || other.onDevice || !sameBoards(s.Layout, other.Layout) {
		return ErrOtherState
	}
	s.take(other.traversal)
	s.iterations = warmIterations
	return nil
}

// sameBoards reports whether two layouts have the same boards.
func sameBoards(a, b *layout.Layout) bool {
	for k := range a.Boards {
		if !slices.EqualFunc(a.Boards[k], b.Boards[k], func(x, y *layout.Board) bool { return x.Cards == y.Cards }) {
			return false
		}
	}
	return true
}

// A pairing has two decisions of a street with the same betting: the place of each action of the first among those of
// the second, or -1.
type pairing struct {
	to, from *layout.Node
	actions  []int
}

// pair returns the decisions by street that another traversal has, too.
func (s *traversal) pair(other *traversal) (pairs [layout.NumStreets][]pairing) {
	var visit func(k int, to, from int32)
	visit = func(k int, to, from int32) {
		n, m := &s.Streets[k].Nodes[to], &other.Streets[k].Nodes[from]
		switch {
		case n.Kind != m.Kind:
		case n.Kind == layout.Deal:
			visit(k+1, s.Streets[k+1].Root(n.First), other.Streets[k+1].Root(m.First))
		case n.Kind == layout.Decision:
			p := pairing{to: n, from: m}
			taken := other.taken[k][m.First:][:m.Actions]
			for a, action := range s.taken[k][n.First:][:n.Actions] {
				at := slices.Index(taken, action)
				if p.actions = append(p.actions, at); at >= 0 {
					visit(k, n.First+int32(a), m.First+int32(at))
				}
			}
			pairs[k] = append(pairs[k], p)
		}
	}
	visit(s.First, 0, 0)
	return pairs
}

// take takes over the entries of another traversal, hand by hand and action by action.
func (s *traversal) take(other *traversal) {
	pairs := s.pair(other)
	for k := s.First; k < layout.NumStreets; k++ {
		for on, b := range s.Boards[k] {
			var from [2][]uint16 // the place of each hand there
			for p := range from {
				places := other.Boards[k][on].Hands[p].Places()
				for _, x := range b.Hands[p].Holes {
					from[p] = append(from[p], places[x.Index()])
				}
			}
			for _, pair := range pairs[k] {
				to, at := s.Decision(k, on, pair.to), other.Decision(k, on, pair.from)
				for _, e := range [][2]*layout.Entries{{&s.regrets, &other.regrets}, {&s.sums, &other.sums}} {
					entries := e[0].Load(to, make([]float32, to.Actions*to.Width))
					others := e[1].Load(at, make([]float32, at.Actions*at.Width))
					for a, b := range pair.actions {
						for i, x := range from[pair.to.Actor] {
							if b >= 0 && x != layout.Absent {
								entries[a*to.Width+i] = others[b*at.Width+int(x)]
							}
						}
					}
					e[0].Store(to, entries, 0)
				}
			}
		}
	}
}
