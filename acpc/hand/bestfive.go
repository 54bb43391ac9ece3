package hand

import (
	"math/bits"

	"gamebots/acpc/card"
)

// rankBestFive is the specification of the ACPC ranking: up to five cards have a rank of
// their own, more have that of their best five. It tries every way to drop cards once, by
// dropping them in ascending order: only those in droppable may be dropped next.
func rankBestFive(s, droppable card.Set) int {
	if s.Len() <= 5 {
		return rankFive(s)
	}
	best := 0
	for droppable != 0 {
		c := droppable & -droppable
		droppable &^= c
		best = max(best, rankBestFive(s&^c, droppable))
	}
	return best
}

// rankFive ranks five cards or fewer. With fewer than five there are no straights and no
// flushes.
func rankFive(s card.Set) int {
	held := ranksByCount(s)
	singles, pairs := held[1], held[2]

	var isFlush bool
	var top uint16
	if s.Len() == 5 {
		isFlush = oneSuited(s)
		top = straightTop(singles, 5)
	}
	switch {
	case isFlush && top != 0:
		return straightFlush.rank(top, 0)
	case held[4] != 0:
		return quads.rank(held[4], singles)
	case held[3] != 0 && pairs != 0:
		return fullHouse.rank(held[3], pairs)
	case isFlush:
		return flush.rank(0, singles)
	case top != 0:
		return straight.rank(top, 0)
	case held[3] != 0:
		return trips.rank(held[3], singles)
	case bits.OnesCount16(pairs) == 2:
		return twoPair.rank(pairs, singles)
	case pairs != 0:
		return pair.rank(pairs, singles)
	default:
		return highCard.rank(0, singles)
	}
}

// ranksByCount returns the ranks that occur exactly 0 to 4 times.
func ranksByCount(s card.Set) (held [card.NumSuits + 1]uint16) {
	for rank := range card.NumRanks {
		n := 0
		for suit := range card.NumSuits {
			if s.Has(card.New(rank, suit)) {
				n++
			}
		}
		held[n] |= 1 << rank
	}
	return held
}

// oneSuited reports whether all cards are of one suit.
func oneSuited(s card.Set) bool {
	for suit := range card.NumSuits {
		if bits.OnesCount16(s.Suit(suit)) == s.Len() {
			return true
		}
	}
	return false
}
