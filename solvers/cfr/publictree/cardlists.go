package publictree

import (
	"math/bits"

	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
)

// CardLists lists the hands of two hole cards of a round by their cards. A hand
// rules out the other player's hands that share a card with it, so reach is summed
// for every card too.
//
// A bucket is valued as its canonical hand, and symmetric cards occur in equally
// many hands of each bucket. So only the cards of canonical hands need lists.
type CardLists struct {
	PerCard int // hands with one card, on a board: one for every other card that is left
	Stride  int // PerCard, padded to a multiple of abstraction.Lanes
	// Lists has the lists of a board one after the other, Stride apart. A list has
	// the buckets of one card's hands in ascending order, counted from the
	// board's first.
	Lists  []uint16
	Boards []BoardLists
	// Card is, by bucket, the lists of the canonical hand's two cards, counted
	// from the board's first.
	Card [][2]uint16
	// Ties is, by bucket, the hands of these two lists that tie with the bucket.
	// In rounds without ranks they are the whole lists.
	Ties [][2]TieRange
}

// BoardLists are the lists of a board: the first, and for how many cards there is
// one.
type BoardLists struct{ First, Cards int }

// TieRange is a range of hands of a list: Lower is the first that ties with a
// bucket, and Higher the first that beats it.
type TieRange struct{ Lower, Higher uint8 }

// newCardLists returns the lists of round r.
func newCardLists(cards *abstraction.Cards, r int) *CardLists {
	round, g := &cards.Rounds[r], cards.Game
	h := &CardLists{
		PerCard: g.NumSuits*g.NumRanks - g.BoardCards(r) - 1,
		Card:    make([][2]uint16, round.Stride), Ties: make([][2]TieRange, round.Stride),
	}
	h.Stride = (h.PerCard + abstraction.Lanes - 1) / abstraction.Lanes * abstraction.Lanes
	for i := range h.Ties { // padding ties with everything
		h.Ties[i] = [2]TieRange{{0, uint8(h.PerCard)}, {0, uint8(h.PerCard)}}
	}
	for i := range round.Boards {
		h.board(cards, r, &round.Boards[i])
	}
	return h
}

func (h *CardLists) board(cards *abstraction.Cards, r int, b *abstraction.Board) {
	round := &cards.Rounds[r]
	var list [card.DeckSize]int // a card's list plus one, 0 for none
	lists := BoardLists{First: len(h.Lists) / h.Stride}
	for k := b.First; k < b.First+b.Num; k++ {
		for i, c := range twoOf(round.Hole[k]) {
			if list[c] == 0 {
				lists.Cards++
				list[c] = lists.Cards
			}
			h.Card[k][i] = uint16(list[c] - 1)
		}
	}
	h.Boards = append(h.Boards, lists)

	// Grouping by bucket first puts the hands of each list in the order of buckets.
	buckets := make([][]uint16, lists.Cards)
	inBucket := make([][][2]card.Card, b.Num)
	cards.Holes(r, b, func(hole card.Set, bucket int) {
		inBucket[bucket] = append(inBucket[bucket], twoOf(hole))
	})
	for bucket, all := range inBucket {
		for _, hand := range all {
			for _, c := range hand {
				if list[c] > 0 {
					buckets[list[c]-1] = append(buckets[list[c]-1], uint16(bucket))
				}
			}
		}
	}
	for _, list := range buckets {
		h.Lists = append(append(h.Lists, list...), make([]uint16, h.Stride-len(list))...)
	}
	if round.Rank == nil {
		return
	}
	rank := round.Rank[b.First:][:b.Num]
	for k := range rank {
		for i := range 2 {
			p := &h.Ties[int(b.First)+k][i]
			*p = TieRange{}
			for _, other := range buckets[h.Card[int(b.First)+k][i]] {
				if rank[other] < rank[k] {
					p.Lower++
				}
				if rank[other] <= rank[k] {
					p.Higher++
				}
			}
		}
	}
}

// twoOf returns the cards of a set of two.
func twoOf(s card.Set) [2]card.Card {
	var hand [2]card.Card
	for i := range hand {
		bit := bits.TrailingZeros64(uint64(s))
		hand[i] = card.New(bit%16, bit/16)
		s &= s - 1
	}
	return hand
}
