package hand

import (
	"math/bits"

	"gamebots/acpc/card"
)

// rankSeven is the fast path for n = 1 to 7 cards: the four suits' rank masks
// are counted against each other in parallel. It relies on so few cards: there
// is one flush at most, and neither it nor a straight leaves room for quads or
// a full house.
//
// Only rare hands branch. High cards, pairs and two pair, the most frequent hands, take
// one path without a branch to mispredict: their kickers are all ranks held once but the
// n-5 lowest.
func rankSeven(s card.Set, n int) int {
	either, both := s|s>>32, s&(s>>32) // suits 0 and 2, suits 1 and 3
	e0, e1 := uint16(either), uint16(either>>16)
	b0, b1 := uint16(both), uint16(both>>16)
	once, twice := e0|e1, e0&e1|b0|b1 // ranks held once or more, twice or more
	thrice, four := e0&b1|b0&e1, b0&b1

	if suited := flushRanks(s); suited != 0 {
		if top := straightTop(suited, 5); top != 0 {
			return straightFlush.rank(top, 0)
		}
		return flush.rank(0, withoutLowest(suited, bits.OnesCount16(suited)-5))
	}
	if top := straightTop(once, 5); top != 0 {
		return straight.rank(top, 0)
	}
	if thrice != 0 {
		switch t := highest(thrice); {
		case four != 0:
			return quads.rank(four, highest(once^four))
		case t != twice:
			return fullHouse.rank(t, highest(twice^t))
		default:
			return trips.rank(t, withoutLowest(once^t, n-5))
		}
	}
	pairs := bits.OnesCount16(twice)
	if pairs == 3 {
		two := twice & (twice - 1)
		return twoPair.rank(two, highest(once^two))
	}
	return category(pairs).rank(twice, withoutLowest(once^twice, n-5))
}

// flushRanks returns the ranks of the suit that has five cards or more, or 0.
// It counts the suits in parallel, as sums within 16-bit lanes; adding three
// carries a count of five to seven into the eights.
func flushRanks(s card.Set) uint16 {
	const lanes = 0x0001_0001_0001_0001
	n := s - s>>1&(0x5555*lanes)
	n = n&(0x3333*lanes) + n>>2&(0x3333*lanes)
	n = (n + n>>4) & (0x0f0f * lanes)
	n = (n + n>>8) & (0x0f * lanes)
	five := (n + 3*lanes) & (8 * lanes)
	if five == 0 {
		return 0
	}
	return uint16(s >> (bits.TrailingZeros64(uint64(five)) &^ 15))
}

// withoutLowest drops the n lowest bits that are set.
func withoutLowest(mask uint16, n int) uint16 {
	for range n {
		mask &= mask - 1
	}
	return mask
}
