package hand

import (
	"math/bits"

	"gamebots/acpc/card"
)

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
