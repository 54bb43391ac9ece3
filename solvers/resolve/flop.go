package resolve

import (
	"cmp"
	"slices"

	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/resolve/spot"
)

// endFlop ends a flop with leaves, from which the hand goes on in the betting of the blueprint to
// which it is most probably mapped. The opponent is offered what its hands win if both play the
// blueprint from the flop on. If that has lost the hand or lacks rounds, there are no leaves.
func (r *round) endFlop() {
	if r.mapped == nil || r.continuation == nil {
		return
	}
	r.spot.Offer = &spot.Offer{Player: r.place(r.index, 1-r.own), Known: blueprintFraction}
	r.spot.Leaves = r.leaves()
}

// leaves returns how the blueprint goes on after a flop.
func (r *round) leaves() *spot.Leaves {
	return &spot.Leaves{
		Continuation: r.continuation, Player: r.place(r.index, r.own), Out: int(r.game.FirstPlayer[r.index]),
		Start: r.point(r.mapped), At: func(line []spot.Action) spot.Point { return r.point(r.mappedAfter(line)) },
	}
}

// mappedAfter returns how the hand is most probably mapped after a line of the round; nil if the
// blueprint has lost it.
func (r *round) mappedAfter(line []spot.Action) *betting.Translation {
	at, s := r.mapped, *r.start
	for _, a := range line {
		action, legal := s.Fix(r.played(a))
		if !legal {
			action = call
		}
		s.Apply(action)
		ways := at.After(action, r.own)
		if len(ways) == 0 {
			return nil
		}
		at = slices.MaxFunc(ways, func(x, y betting.Mapping) int {
			return cmp.Compare(x.Probability, y.Probability)
		}).Translation
	}
	if _, err := at.Decision(); err != nil {
		return nil
	}
	return at
}

// point returns where the blueprint has a round of a mapped hand that begins. If it has lost the
// hand, nobody is taken to bet any more.
func (r *round) point(at *betting.Translation) spot.Point {
	if at == nil {
		return spot.Point{Segment: -1}
	}
	return spot.Point{Segment: r.blueprint.Index.Tree.SegmentOf(at.Node), Stake: int(at.Hand().MaxSpent())}
}
