package cfr

import (
	"math/bits"

	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
)

// hands are the hands of two hole cards of a round, by the cards in them: a hand
// rules out the other player's hands that share a card with it, so that what
// these reach is summed up for every card too.
//
// A bucket is valued as its canonical hand, and symmetric cards are in as many
// hands of each bucket: sums are needed for the cards of canonical hands only.
type hands struct {
	each   int // hands with one card, on a board: one for every other card that is left
	stride int // each, padded to a multiple of lanes
	// lists has the hands of one card of a board after the other, stride apart,
	// as their buckets in ascending order, counted from the board's first.
	lists  []uint16
	boards []handLists
	// By bucket, for the canonical hand's two cards: the list of each, counted
	// from the board's first, and in it the first hand that ties with the bucket
	// and the first that is better. In rounds without ranks they are all of it.
	card   [][2]uint16
	places [][2]place
}

// handLists are the lists of a board: the first, and how many cards they are of.
type handLists struct{ first, cards int }

type place struct{ lower, higher uint8 }

func newHands(cards *abstraction.Cards, r int) *hands {
	round, g := &cards.Rounds[r], cards.Game
	h := &hands{
		each: g.NumSuits*g.NumRanks - g.BoardCards(r) - 1,
		card: make([][2]uint16, round.Stride), places: make([][2]place, round.Stride),
	}
	h.stride = (h.each + abstraction.Lanes - 1) / abstraction.Lanes * abstraction.Lanes
	for i := range h.places { // padding ties with everything
		h.places[i] = [2]place{{0, uint8(h.each)}, {0, uint8(h.each)}}
	}
	for i := range round.Boards {
		h.board(cards, r, &round.Boards[i])
	}
	return h
}

func (h *hands) board(cards *abstraction.Cards, r int, b *abstraction.Board) {
	round := &cards.Rounds[r]
	var list [card.DeckSize]int // by card: its list and one more, 0 for none
	lists := handLists{first: len(h.lists) / h.stride}
	for k := b.First; k < b.First+b.Num; k++ {
		for i, c := range twoOf(round.Hole[k]) {
			if list[c] == 0 {
				lists.cards++
				list[c] = lists.cards
			}
			h.card[k][i] = uint16(list[c] - 1)
		}
	}
	h.boards = append(h.boards, lists)

	// Counting first puts the hands of each list in order of buckets.
	buckets := make([][]uint16, lists.cards)
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
		h.lists = append(append(h.lists, list...), make([]uint16, h.stride-len(list))...)
	}
	if round.Rank == nil {
		return
	}
	rank := round.Rank[b.First:][:b.Num]
	for k := range rank {
		for i := range 2 {
			p := &h.places[int(b.First)+k][i]
			*p = place{}
			for _, other := range buckets[h.card[int(b.First)+k][i]] {
				if rank[other] < rank[k] {
					p.lower++
				}
				if rank[other] <= rank[k] {
					p.higher++
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
