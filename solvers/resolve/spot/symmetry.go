package spot

import (
	"slices"

	"gamebots/acpc/card"
	"gamebots/acpc/ranges"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// symmetries returns the renamings of suits that leave the board, the ranges, the locks and the
// offer of a spot as they are, the identity first.
func (s *Spot) symmetries(board card.Set) (all []abstraction.Renaming) {
	renamings := abstraction.Renamings()
	all = renamings[:1:1]
	if s.Leaves != nil { // the cards that they are valued on have none
		return all
	}
	for _, r := range renamings[1:] {
		locks := func(l Lock) bool { return !l.invariant(cardsOf(l.Line), r) }
		if r.Of(board) == board && invariant(s.Ranges[0], r) && invariant(s.Ranges[1], r) &&
			!slices.ContainsFunc(s.Locks, locks) && s.invariantOffer(r) {
			all = append(all, r)
		}
	}
	return all
}

// invariant reports whether a renaming leaves a range as it is.
func invariant(r *ranges.Range, renaming abstraction.Renaming) bool {
	for high := range uint8(card.DeckSize) {
		for low := range high {
			if set := (layout.Hole{high, low}).Set(); r.Weight(set) != r.Weight(renaming.Of(set)) {
				return false
			}
		}
	}
	return true
}

// inverse returns the renaming that undoes another.
func inverse(r abstraction.Renaming) (undo abstraction.Renaming) {
	for suit, to := range r {
		undo[to] = uint8(suit)
	}
	return undo
}

// after returns the renaming that does one and then another.
func after(first, then abstraction.Renaming) (both abstraction.Renaming) {
	for suit, to := range first {
		both[suit] = then[to]
	}
	return both
}
