package hand

import "gamebots/acpc/card"

// The ThreeCard categories. Trips beat a straight, and a straight beats a
// flush, because with three cards the better one is the rarer one.
const (
	threeHighCard category = iota
	threePair
	threeFlush
	threeStraight
	threeTrips
	threeStraightFlush
)

// rankThree ranks three cards in the order of Rhode Island hold'em (Shi and
// Littman, Abstraction methods for game theoretic poker, 2000).
func rankThree(s card.Set) int {
	held := ranksByCount(s)
	singles := held[1]
	isFlush, top := oneSuited(s), straightTop(singles, 3)
	switch {
	case isFlush && top != 0:
		return threeStraightFlush.rank(top, 0)
	case held[3] != 0:
		return threeTrips.rank(held[3], 0)
	case top != 0:
		return threeStraight.rank(top, 0)
	case isFlush:
		return threeFlush.rank(0, singles)
	case held[2] != 0:
		return threePair.rank(held[2], singles)
	default:
		return threeHighCard.rank(0, singles)
	}
}
