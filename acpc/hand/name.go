package hand

import (
	"fmt"
	"math/bits"

	"gamebots/acpc/card"
)

var rankNames = [card.NumRanks]string{
	"deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace",
}

// threeCardCategories are the categories of ThreeCard among those of ACPC.
var threeCardCategories = [...]category{
	threeHighCard: highCard, threePair: pair, threeFlush: flush, threeStraight: straight, threeTrips: trips,
	threeStraightFlush: straightFlush,
}

// Name returns what poker players call the hand of one to ten cards (exactly three for ThreeCard), such as "two pair,
// kings and eights", "flush, ace high" or "royal flush". Hands of one name may differ in cards that break ties.
func (r Ranking) Name(s card.Set) string {
	rank := r.Rank(s)
	const mask = 1<<card.NumRanks - 1
	kind, first, second := category(rank>>(2*card.NumRanks)), uint16(rank>>card.NumRanks&mask), uint16(rank&mask)
	if r == ThreeCard {
		kind = threeCardCategories[kind]
	}
	switch kind {
	case pair:
		return "pair of " + plural(first)
	case twoPair:
		top := highest(first)
		return fmt.Sprintf("two pair, %s and %s", plural(top), plural(first&^top))
	case trips:
		return "three of a kind, " + plural(first)
	case straight:
		return fmt.Sprintf("straight, %s high", singular(first))
	case flush:
		return fmt.Sprintf("flush, %s high", singular(second))
	case fullHouse:
		return fmt.Sprintf("full house, %s over %s", plural(first), plural(second))
	case quads:
		return "four of a kind, " + plural(first)
	case straightFlush:
		if name := singular(first); r == ThreeCard || name != "ace" {
			return fmt.Sprintf("straight flush, %s high", name)
		}
		return "royal flush"
	}
	return singular(second) + " high"
}

// singular names the highest of some ranks.
func singular(ranks uint16) string { return rankNames[bits.Len16(ranks)-1] }

// plural names several cards of the highest of some ranks.
func plural(ranks uint16) string {
	if name := singular(ranks); name != "six" {
		return name + "s"
	}
	return "sixes"
}
