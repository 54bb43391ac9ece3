package cfrbr

import (
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/cudalib/cfrbrgpu"
	"gamebots/internal/parallel"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/pcs"
	"gamebots/solvers/internal/vectors"
)

// unit is a board of all rounds but the last, with the hands that it leaves. They are numbered
// in each of its orders.
type unit struct {
	// By round before the last, the hands in the order of their numbers, without ranks: with
	// the learner's buckets, and with the numbers of hands instead.
	buckets, apart [][]uint64
	// sets has the opponent's hands up to the names of suits, by round of the trunk and hand.
	sets [][]uint32
	// rivers are the orders of the boards of the last round, with the learner's buckets.
	rivers []river
	device *cfrbrgpu.Packed // the unit for a device, if there is one
}

// river has the hands of a board of the last round from the worst to the best, and from the best
// rank to the worst, see [segment.Play].
type river struct{ order, down []uint64 }

// dealer deals units. It may be used by several goroutines at once.
type dealer struct {
	*Game
	sequence  *pcs.Sequence
	threads   int
	forDevice bool
}

// deal deals the unit at a place in their sequence.
func (d *dealer) deal(at uint64) *unit {
	board := d.sequence.Board(at)
	all := card.Set(0)
	for _, cards := range board {
		all |= cards
	}
	var holes []int
	for h, hole := range d.hole {
		if hole&all == 0 {
			holes = append(holes, h)
		}
	}
	u := &unit{}
	for r := range d.last {
		buckets, apart := make([]uint64, len(holes)), make([]uint64, len(holes))
		deal := abstraction.Deal{}
		copy(deal.Board[:], board[:r+1])
		for i, h := range holes {
			deal.Hole = d.hole[h]
			buckets[i] = d.numbered(h, i, d.Index.Buckets.Bucket(r, deal))
			apart[i] = d.numbered(h, i, i)
		}
		u.buckets, u.apart = append(u.buckets, buckets), append(u.apart, apart)
	}
	known := card.Set(0)
	for r, index := range d.trunk {
		known |= board[r]
		numbers := make([]uint32, len(holes))
		for i, h := range holes {
			numbers[i] = uint32(index.Of(d.hole[h], known))
		}
		u.sets = append(u.sets, numbers)
	}
	var rivers []card.Set
	rest := slices.DeleteFunc(slices.Clone(d.cards), all.Has)
	card.Subsets(rest, int(d.Rules().NumBoardCards[d.last]), func(s card.Set) { rivers = append(rivers, s) })
	u.rivers = make([]river, len(rivers))
	parallel.For(d.threads, len(rivers), func(_, i int) {
		final := board
		final[d.last] = rivers[i]
		u.rivers[i] = d.river(final, all|rivers[i], holes)
	})
	if d.forDevice {
		u.device = d.unitForDevice(u)
	}
	return u
}

// numbered returns the entry of hole cards in an order.
func (d *dealer) numbered(hole, number, bucket int) uint64 {
	return uint64(number) | d.entry[hole] | uint64(bucket)<<vectors.BucketBit
}

// river returns the orders of a board of the last round, of the hands that a unit leaves.
func (d *dealer) river(board [acpc.MaxRounds]card.Set, all card.Set, holes []int) river {
	order := make([]uint64, 0, d.layout.Hands) // ranks above numbers
	for i, h := range holes {
		if d.hole[h]&all == 0 {
			order = append(order, uint64(d.Rules().HandRanking.Rank(d.hole[h]|all))<<32|uint64(i))
		}
	}
	slices.Sort(order)
	down := make([]uint64, len(order))
	for from := 0; from < len(order); {
		to := from
		for rank := order[from] >> 32; to < len(order) && order[to]>>32 == rank; to++ {
			number := int(uint32(order[to]))
			hole := holes[number]
			bucket := d.Index.Buckets.Bucket(d.last, abstraction.Deal{Hole: d.hole[hole], Board: board})
			order[to] = d.numbered(hole, number, bucket) | uint64(to)<<vectors.PlaceBit
		}
		copy(down[len(order)-to:], order[from:to])
		from = to
	}
	return river{order, down}
}

// apart returns orders with the places of hands instead of buckets.
func (v river) apart() river {
	place := func(order []uint64) []uint64 {
		out := make([]uint64, len(order))
		for k, entry := range order {
			out[k] = entry&(1<<vectors.BucketBit-1) | entry>>vectors.PlaceBit&vectors.PlaceMask<<vectors.BucketBit
		}
		return out
	}
	return river{place(v.order), place(v.down)}
}
