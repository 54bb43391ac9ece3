package abstraction

import (
	"math/bits"

	"gamebots/acpc/card"
)

// class numbers the ranks of hand.ACPC for seven cards, from 1 and in their order. With so few
// classes hands are ordered by counting. 0 is no hand.
type class uint16

// rankSizes has the numbers of cards in the two sets of a rank (see hand.Ranking.Rank), by
// category.
var rankSizes = [...]struct{ first, second int }{
	{0, 5}, // high card
	{1, 3}, // pair
	{2, 1}, // two pair
	{1, 2}, // three of a kind
	{1, 0}, // straight
	{0, 5}, // flush
	{1, 1}, // full house
	{1, 1}, // four of a kind
	{1, 0}, // straight flush
}

// firstClass has the lowest class of each category and first set, the upper bits of a rank.
// numClasses is the number of classes: some are not the class of any hand.
var firstClass, numClasses = func() (first [len(rankSizes) << card.NumRanks]class, n class) {
	n = 1
	for upper := range first {
		sizes := rankSizes[upper>>card.NumRanks]
		if bits.OnesCount(uint(upper)&(1<<card.NumRanks-1)) == sizes.first {
			first[upper] = n
			n += class(combinations[card.NumRanks][sizes.second])
		}
	}
	return first, n
}()

// classOf returns the class of a rank.
func classOf(rank int) class {
	return firstClass[rank>>card.NumRanks] + class(setNumber[rank&(1<<card.NumRanks-1)])
}

// showdown finds the strengths of the hands on one full board.
type showdown struct {
	hands []uint16 // hands of a class
	met   []uint64 // a bit for each class with hands
}

func newShowdown() *showdown {
	return &showdown{hands: make([]uint16, numClasses), met: make([]uint64, numClasses/64+1)}
}

// add adds a hand.
func (d *showdown) add(c class) {
	d.hands[c]++
	d.met[c/64] |= 1 << (c % 64)
}

// discard takes the hands of a class away.
func (d *showdown) discard(c class) {
	d.hands[c] = 0
	d.met[c/64] &^= 1 << (c % 64)
}

// settle calls f with each class that has hands, in ascending order, its strength and its
// number of hands. It leaves no hands.
func (d *showdown) settle(f func(c class, strength, hands int)) {
	below := 0
	for i, met := range d.met {
		for d.met[i] = 0; met != 0; met &= met - 1 {
			c := class(64*i + bits.TrailingZeros64(met))
			n := int(d.hands[c])
			d.hands[c] = 0
			f(c, 2*below+n, n)
			below += n
		}
	}
}
