package spot

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"gamebots/solvers/resolve/spot/internal/layout"
	"gamebots/solvers/resolve/spot/internal/loops"
)

// warmIterations are those that count as done after StartFrom. With fewer of them discounts forget at once what was
// taken over; with more, what was taken over weighs too much in the average. Turns and rivers whose ranges have
// changed a little need half as many iterations to 1% of the pot from 5 or 10 on.
const warmIterations = 5

// ErrOtherState is the error for a solver that cannot start from another one, as their bets, boards or bits differ.
var ErrOtherState = errors.New("no solution of the same bets and boards")

// StartFrom starts with the regrets and strategies of a solver of the same public state, whose ranges may differ,
// instead of none. Hands that it has not got start with none. On a device both must be there and have the same
// hands.
func (s *Solver) StartFrom(other *Solver) error {
	switch {
	case s.quantized != other.quantized || len(s.locks)+len(other.locks) > 0 || s.leaves != nil ||
		other.dealt != nil || !reflect.DeepEqual(s.taken, other.taken) || !sameBoards(s.Layout, other.Layout):
		return ErrOtherState
	case (s.gpu != nil) != (other.gpu != nil):
		return fmt.Errorf("%w on the same device", ErrOtherState)
	case s.gpu != nil && !sameHands(s.Root(), other.Root()):
		return fmt.Errorf("%w with the same hands on a device", ErrOtherState)
	case s.gpu != nil:
		err := errors.Join(other.Sync(), s.gpu.StartFrom(other.gpu.Passes))
		if err != nil {
			return err
		}
	default:
		s.take(other.traversal)
	}
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

// sameHands reports whether the players have the same hands on two boards.
func sameHands(a, b *layout.Board) bool {
	return slices.Equal(a.Hands[0].Holes, b.Hands[0].Holes) && slices.Equal(a.Hands[1].Holes, b.Hands[1].Holes)
}

// take takes over the entries of another traversal, hand by hand.
func (s *traversal) take(other *traversal) {
	for k := s.First; k < layout.NumStreets; k++ {
		for on, b := range s.Boards[k] {
			var from [2][]uint16 // the place of each hand there
			for p := range from {
				places := other.Boards[k][on].Hands[p].Places()
				for _, x := range b.Hands[p].Holes {
					from[p] = append(from[p], places[x.Index()])
				}
			}
			for j := range s.Streets[k].Nodes {
				n := &s.Streets[k].Nodes[j]
				if n.Kind != layout.Decision {
					continue
				}
				to, at := s.Decision(k, on, n), other.Decision(k, on, n)
				for _, e := range [][2]*loops.Entries{{&s.regrets, &other.regrets}, {&s.sums, &other.sums}} {
					entries := e[0].Load(to, make([]float32, to.Actions*to.Width))
					others := e[1].Load(at, make([]float32, at.Actions*at.Width))
					for a := range to.Actions {
						for i, x := range from[n.Actor] {
							if x != layout.Absent {
								entries[a*to.Width+i] = others[a*at.Width+int(x)]
							}
						}
					}
					e[0].Store(to, entries, 0)
				}
			}
		}
	}
}
