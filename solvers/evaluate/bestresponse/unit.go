package bestresponse

import (
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/internal/vectors"
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

// river is a board of the last round: how many boards it stands for, and the canonical
// board that it is but for a renaming, see [dealer.canonical].
type river struct {
	count     float64
	canonical board
	renaming  int
}

// dealer lists units with the buckets of a strategy. It may be shared.
type dealer struct {
	*deck
	strategy *Strategy
	last     int // the last round
	// unordered is whether buckets do not depend on the order in which a board was dealt.
	unordered bool
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

// units returns the boards of the units of a part, each of which counts as often as it
// occurs there.
func (d *dealer) units(part *board) []board {
	root := *part
	root.count = 1
	return d.boards(root, 2, d.depth())
}

// boards lists the boards of a round that follow a board, whose first round to come is given.
func (d *dealer) boards(root board, from, to int) []board {
	boards := []board{root}
	for r := from; r <= to; r++ {
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
		u.rivers = []river{d.river(&u.board)}
		return u
	}
	for _, next := range d.extend(b, d.last) {
		u.rivers = append(u.rivers, d.river(&next))
	}
	return u
}

// river returns a board of the last round.
func (d *dealer) river(b *board) river {
	canonical, renaming := d.canonical(b)
	return river{b.count, canonical, renaming}
}

// canonical returns the board of the last round that stands for a board and all that have
// the same hands with the same ranks and buckets but for the names of suits, and the renaming
// that leads to it. Where buckets do not depend on the order of a board's cards, neither does
// the board.
func (d *dealer) canonical(b *board) (least board, by int) {
	least = *b
	key := d.key(b)
	for i, p := range d.renamings[1:] {
		image := board{all: p.Of(b.all)}
		for round, cards := range b.cards {
			image.cards[round] = p.Of(cards)
		}
		if k := d.key(&image); slices.Compare(k[:], key[:]) < 0 {
			least, key, by = image, k, i+1
		}
	}
	return least, by
}

// key identifies a canonical board of the last round.
func (d *dealer) key(b *board) [acpc.MaxRounds]card.Set {
	if d.unordered {
		return [acpc.MaxRounds]card.Set{b.all}
	}
	return b.cards
}

// allCanonical lists the canonical boards of the last round.
func (d *dealer) allCanonical() []board {
	root := d.root()
	if d.unordered && d.last > 0 {
		return d.deal(&root, d.last, d.game.BoardCards(d.last))
	}
	return d.boards(root, 1, d.last)
}

// finalHands returns how many hands a board of the last round leaves.
func (d *deck) finalHands() int {
	return card.Combinations(len(d.cards)-d.game.BoardCards(d.game.NumRounds-1), d.game.NumHoleCards)
}

// order returns the order of a canonical board.
func (d *dealer) order(b *board) []uint64 {
	order := make([]uint64, 0, len(d.holes)) // ranks above hands
	for h, hole := range d.holes {
		if hole&b.all == 0 {
			order = append(order, uint64(d.game.HandRanking.Rank(hole|b.all))<<32|uint64(h))
		}
	}
	slices.Sort(order)
	deal := abstraction.Deal{Board: b.cards}
	for from := 0; from < len(order); {
		rank, ties := order[from]>>32, 0
		for _, x := range order[from:] {
			if x>>32 != rank {
				break
			}
			ties++
		}
		for i := from; i < from+ties; i++ {
			hand := order[i] & vectors.HandMask
			deal.Hole = d.holes[hand]
			order[i] = d.entry(hand) | uint64(d.strategy.Buckets.Bucket(d.last, deal))<<vectors.BucketBit
		}
		order[from] |= uint64(ties) << vectors.TiesBit
		from += ties
	}
	return order
}

// entry returns the fields of an order's entry that depend on the hand only.
func (d *deck) entry(hand uint64) uint64 {
	return hand | uint64(d.pair[hand][0])<<vectors.HandBits | uint64(d.pair[hand][1])<<vectors.SecondBit
}

// renamed changes the order of a canonical board to that of a board which a renaming turns
// into it.
func (d *deck) renamed(order []uint64, renaming int) []uint64 {
	for i, x := range order {
		order[i] = x>>vectors.TiesBit<<vectors.TiesBit | d.entry(uint64(d.origin[renaming][x&vectors.HandMask]))
	}
	return order
}
