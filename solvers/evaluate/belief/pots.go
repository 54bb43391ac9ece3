package belief

import (
	"iter"
	"math"

	"gamebots/acpc"
)

// pot is the main pot or a side pot, of those that a player has chips in.
type pot struct {
	total, own float64   // the chips of all, and of the player
	rivals     positions // who else may win it
}

// positions is a set of positions.
type positions uint16

func (p positions) has(position int) bool { return p>>position&1 != 0 }

// potsOf returns the pots of a player who has not folded, from the main pot on.
func potsOf(s *acpc.State, player int) iter.Seq[pot] {
	return func(yield func(pot) bool) {
		players := s.Game().NumPlayers
		for low := int32(0); low < s.Spent(player); {
			high := int32(math.MaxInt32)
			for q := range players {
				if s.Spent(q) > low {
					high = min(high, s.Spent(q))
				}
			}
			p := pot{own: float64(high - low)}
			for q := range players {
				if s.Spent(q) < high {
					continue
				}
				p.total += p.own
				if q != player && !s.Folded(q) {
					p.rivals |= 1 << q
				}
			}
			if !yield(p) {
				return
			}
			low = high
		}
	}
}
