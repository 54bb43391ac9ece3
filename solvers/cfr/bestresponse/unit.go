package bestresponse

import (
	"cmp"
	"slices"

	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
)

// unit is a board with all boards of the last round that follow it: the board of the last
// round but one, or, in a game of one round or two, the board of the last round itself.
// Its values are by hand and lane of its round.
type unit struct {
	board
	round int
	// bucket is by round and hand, up to the unit's round, or up to the last round but
	// one where the unit is of the last.
	bucket [][]uint32
	hands  []uint32 // those that the board leaves, ascending
	// classes are the hands that the board's renamings join, of two hands and more.
	classes [][]int32
	rivers  []river
}

// river is a board of the last round with its hands in the order of their ranks. A hand is
// its number, the positions of its cards in the deck, whether its rank is above that of the
// hand before, and its bucket.
type river struct {
	count float64
	order []uint64
}

const (
	handBits  = 11
	cardBits  = 6
	higher    = 1 << 31
	cardMask  = 1<<cardBits - 1
	handMask  = 1<<handBits - 1
	secondBit = handBits + cardBits
	bucketBit = 32
)

// dealer lists units with the buckets of a strategy. It may be shared.
type dealer struct {
	*deck
	strategy *Strategy
	last     int // the last round
}

// depth is the round of a unit.
func (d *dealer) depth() int {
	if d.last >= 2 {
		return d.last - 1
	}
	return d.last
}

// parts lists the boards of the second round: the parts that the work is done in. A game
// of one round is one part.
func (d *dealer) parts() []board {
	root := d.root()
	if d.last == 0 {
		return []board{root}
	}
	return d.extend(&root, 1)
}

// units returns the boards of the units of a part.
func (d *dealer) units(part *board) []board {
	boards := []board{*part}
	for r := 2; r <= d.depth(); r++ {
		var next []board
		for i := range boards {
			next = append(next, d.extend(&boards[i], r)...)
		}
		boards = next
	}
	return boards
}

// bucketsOf returns the buckets of a board in a round, by hand; 0 for hands that are not
// possible.
func (d *dealer) bucketsOf(b *board, round int) []uint32 {
	deal := abstraction.Deal{}
	copy(deal.Board[:round+1], b.cards[:])
	known := card.Set(0)
	for _, cards := range deal.Board {
		known |= cards
	}
	buckets := make([]uint32, len(d.holes))
	for h, hole := range d.holes {
		if hole&known == 0 {
			deal.Hole = hole
			buckets[h] = uint32(d.strategy.Buckets.Bucket(round, deal))
		}
	}
	return buckets
}

// handsOf returns the hands that a board leaves, and the classes of two and more.
func (d *dealer) handsOf(b *board) (hands []uint32, classes [][]int32) {
	for h, hole := range d.holes {
		if hole&b.all == 0 {
			hands = append(hands, uint32(h))
		}
	}
	if len(b.group) > 1 {
		classes = slices.DeleteFunc(d.joined(b.all, b.group), func(class []int32) bool { return len(class) < 2 })
	}
	return hands, classes
}

// unit prepares a unit. Upper has the buckets of the rounds before the unit's, which the
// units of a part share.
func (d *dealer) unit(b *board, upper [][]uint32) *unit {
	u := &unit{board: *b, round: d.depth(), bucket: upper[:len(upper):len(upper)]}
	for r := len(upper); r < max(d.last, 1) && r <= u.round; r++ {
		u.bucket = append(u.bucket, d.bucketsOf(b, r))
	}
	u.hands, u.classes = d.handsOf(b)
	if u.round == d.last {
		itself := *b
		itself.count = 1
		u.rivers = []river{d.river(&itself)}
		return u
	}
	for _, next := range d.extend(b, d.last) {
		u.rivers = append(u.rivers, d.river(&next))
	}
	return u
}

// river ranks the hands of a board of the last round.
func (d *dealer) river(b *board) river {
	type ranked struct{ rank, hand int32 }
	order := make([]ranked, 0, len(d.holes))
	for h, hole := range d.holes {
		if hole&b.all == 0 {
			order = append(order, ranked{int32(d.game.HandRanking.Rank(hole | b.all)), int32(h)})
		}
	}
	slices.SortFunc(order, func(a, b ranked) int { return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.hand, b.hand)) })
	r := river{count: b.count, order: make([]uint64, len(order))}
	deal := abstraction.Deal{Board: b.cards}
	for i, x := range order {
		pair := d.pair[x.hand]
		deal.Hole = d.holes[x.hand]
		bucket := d.strategy.Buckets.Bucket(d.last, deal)
		r.order[i] = uint64(x.hand) | uint64(pair[0])<<handBits | uint64(pair[1])<<secondBit | uint64(bucket)<<bucketBit
		if i == 0 || x.rank > order[i-1].rank {
			r.order[i] |= higher
		}
	}
	return r
}
