package hand

import (
	"fmt"
	"math/bits"
	"strings"

	"gamebots/acpc/card"
)

// Ranking is an order of poker hands.
type Ranking uint8

const (
	// ACPC is the order of the original server: the best five cards by the usual
	// poker order; with fewer than five only the ranks and their counts matter.
	ACPC Ranking = iota
	// ThreeCard is the order of Rhode Island hold'em for three cards:
	// straight flush, three of a kind, straight, flush, pair, high card.
	ThreeCard
)

var rankingNames = [...]string{ACPC: "acpc", ThreeCard: "threeCard"}

// ParseRanking returns the ranking of a name that String gives, in either case.
func ParseRanking(name string) (Ranking, error) {
	for r, n := range rankingNames {
		if strings.EqualFold(n, name) {
			return Ranking(r), nil
		}
	}
	return 0, fmt.Errorf("hand ranking %q is not one of %s", name, strings.Join(rankingNames[:], ", "))
}

// String returns the ranking's name in game definitions.
func (r Ranking) String() string { return rankingNames[r] }

// Rank returns the strength of one to ten cards (exactly three for ThreeCard): larger is
// better, and equal is a tie. Values are comparable between sets of equal size only. They
// are not negative and have 30 bits: the category, 13 bits for the ranks that make it (for
// a full house those of the trips), and 13 bits for the ranks that break ties.
func (r Ranking) Rank(s card.Set) int {
	switch n := s.Len(); {
	case r == ThreeCard:
		return rankThree(s)
	case n <= 7:
		return rankSeven(s, n)
	default:
		return rankBestFive(s, s)
	}
}

// category is the kind of a hand in the ACPC order.
type category int

const (
	highCard category = iota
	pair
	twoPair
	trips
	straight
	flush
	fullHouse
	quads
	straightFlush
)

// rank puts a category and the ranks that decide within it, the first before
// the second, into one number that orders hands.
func (c category) rank(first, second uint16) int {
	return int(c)<<(2*card.NumRanks) | int(first)<<card.NumRanks | int(second)
}

// straightTop returns the highest rank that ends a run of three or five
// ranks, as a mask of one bit, or 0 where there is no run. An ace also counts
// below the deuce.
func straightTop(ranks uint16, length int) uint16 {
	const ace = card.NumRanks - 1
	run := ranks<<1 | ranks>>ace // bit 0 is the low ace
	run &= run << 1 & (run << 2)
	if length == 5 {
		run &= run << 2
	}
	return highest(run) >> 1
}

// highest returns the highest bit of a mask.
func highest(mask uint16) uint16 { return uint16(1<<15) >> bits.LeadingZeros16(mask) }
