package pcs

import (
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/cudalib/pcsgpu"
	"gamebots/internal/parallel"
	"gamebots/solvers/cfr/abstraction"
)

// An entry of a board's order, see [pcsgpu.Batch].
const (
	cardBits = 6
	cardMask = 1<<cardBits - 1
	downBit  = 2 * cardBits
)

// batches deals the batches of a training.
type batches struct {
	*Game
	sequence *Sequence
	threads  int
}

// deal deals the batch of boards from a place in their sequence on.
func (b *batches) deal(first uint64) *pcsgpu.Batch {
	g := &b.layout
	size := g.Boards * g.Hands
	out := &pcsgpu.Batch{Order: make([]uint32, size), Cards: make([]pcsgpu.Cards, 1, 2)}
	if g.Apart {
		out.Cards = out.Cards[:2]
	}
	for player := range out.Cards {
		out.Cards[player].Buckets, out.Cards[player].Rounds = make([]uint32, size*len(g.Widths)),
			make([]pcsgpu.Hits, len(g.Widths))
	}
	parallel.For(b.threads, g.Boards, func(_, i int) {
		b.board(out, i, b.sequence.Board(first+uint64(i)))
	})
	parallel.For(b.threads, len(out.Cards)*len(g.Widths), func(_, i int) {
		player, r := i/len(g.Widths), i%len(g.Widths)
		cards := &out.Cards[player]
		cards.Rounds[r] = pcsgpu.NewHits(cards.Buckets[r*size:][:size], b.cards[player].NumBuckets(r), g.Hands)
	})
	return out
}

// board writes the i-th board of a batch.
func (b *batches) board(out *pcsgpu.Batch, i int, cards [acpc.MaxRounds]card.Set) {
	g := &b.layout
	all := card.Set(0)
	for _, s := range cards {
		all |= s
	}
	ranked := make([]uint64, 0, g.Hands) // ranks above numbers
	for h, hole := range b.hole {
		if hole&all == 0 {
			ranked = append(ranked, uint64(b.Rules().HandRanking.Rank(hole|all))<<32|uint64(h))
		}
	}
	slices.Sort(ranked)
	order := out.Order[i*g.Hands:][:g.Hands]
	for from := 0; from < len(ranked); {
		to := from
		for to < len(ranked) && ranked[to]>>32 == ranked[from]>>32 {
			to++
		}
		for k := from; k < to; k++ {
			pair, down := b.pair[uint32(ranked[k])], len(ranked)-to+k-from
			order[k] = uint32(pair[0]) | uint32(pair[1])<<cardBits | uint32(down)<<downBit
		}
		from = to
	}
	for r := range g.Widths {
		deal := abstraction.Deal{}
		copy(deal.Board[:], cards[:r+1])
		for player := range out.Cards {
			buckets := out.Cards[player].Buckets[(r*g.Boards+i)*g.Hands:][:g.Hands]
			for k, x := range ranked {
				deal.Hole = b.hole[uint32(x)]
				buckets[k] = uint32(b.cards[player].Bucket(r, deal))
			}
		}
	}
}
