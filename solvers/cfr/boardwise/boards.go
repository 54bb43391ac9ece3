package boardwise

import (
	"cmp"
	"slices"
	"sort"

	"gamebots/acpc/card"
	"gamebots/cudalib/boardwisegpu"
	"gamebots/solvers/cfr/abstraction"
)

// boards are the boards of a round with their buckets, which are numbered without gaps.
// Those of a board are in ascending order of rank in the last round.
type boards struct {
	boards    []board
	rows      int // the buckets of all boards
	most      int // the buckets of a board, at most
	mostHands int // the hands of a board, at most
	cards     int // cards that a board leaves

	// hands are the buckets, counted from the board's first, of all hole cards by board and in
	// the order of ranks. lists are, by board and card that it leaves, those of the hands with
	// that card, list each; 0 with one hole card, where there is one.
	hands, lists []uint32
	list         int
	// By bucket: where its sums are among those of a vector; the bucket of the round before; and
	// the share in that one's value.
	positions []boardwisegpu.Position
	up        []uint32
	weight    []float32
	// follow are, by bucket, the buckets of the next round that refine it: those in
	// refined from follow[i] up to follow[i+1].
	follow, refined []uint32
}

// board is a board's number, where its buckets and hands start, how many there are, and the
// first bucket in the abstraction.
type board struct {
	number, row, rows, hand, hands, bucket int
}

// newBoards lists the boards of a round. Before are those of the round before, nil for the
// first.
func newBoards(cards *abstraction.Cards, r int, before *boards) *boards {
	round := &cards.Rounds[r]
	b := &boards{cards: len(cards.Game.Deck()) - cards.Game.BoardCards(r)}
	if cards.Game.NumHoleCards == 2 {
		b.list = b.cards - 1
	}
	for i := range round.Boards {
		from := &round.Boards[i]
		to := board{number: i, row: b.rows, rows: int(from.Num), hand: len(b.hands), bucket: int(from.First)}
		b.order(cards, r, from)
		to.hands = len(b.hands) - to.hand
		for h := from.First; h < from.First+from.Num; h++ {
			b.weight = append(b.weight, float32(round.Weight[h]))
			up := uint32(0)
			if before != nil {
				parent := &before.boards[from.Parent]
				up = uint32(parent.row + int(round.Up[h]) - parent.bucket)
			}
			b.up = append(b.up, up)
		}
		b.rows += to.rows
		b.most, b.mostHands = max(b.most, to.rows), max(b.mostHands, to.hands)
		b.boards = append(b.boards, to)
	}
	if before != nil {
		before.refine(b)
	}
	return b
}

// order lists the hands of a board in the order of ranks, and the positions of its buckets.
func (b *boards) order(cards *abstraction.Cards, r int, from *abstraction.Board) {
	round := &cards.Rounds[r]
	type hand struct {
		bucket int
		hole   card.Set
	}
	var hands []hand
	cards.Holes(r, from, func(hole card.Set, bucket int) { hands = append(hands, hand{bucket, hole}) })
	slices.SortFunc(hands, func(x, y hand) int {
		return cmp.Or(cmp.Compare(x.bucket, y.bucket),
			cmp.Compare(x.hole, y.hole))
	})
	on := card.Set(0)
	for _, dealt := range from.Cards[:r+1] {
		on |= dealt
	}
	left := slices.DeleteFunc(cards.Game.Deck(), on.Has)
	var all []int                       // the buckets of all hands
	holders := make([][]int, len(left)) // those of the hands with each card
	for _, h := range hands {
		all = append(all, h.bucket)
		b.hands = append(b.hands, uint32(h.bucket))
		for k, c := range left {
			if b.list > 0 && h.hole.Has(c) {
				holders[k] = append(holders[k], h.bucket)
			}
		}
	}
	for _, list := range holders {
		for _, bucket := range list {
			b.lists = append(b.lists, uint32(bucket))
		}
	}
	rank := func(bucket int) int32 {
		if round.Rank == nil { // before the last round
			return 0
		}
		return round.Rank[int(from.First)+bucket]
	}
	place := func(card, upTo int) uint16 { return uint16(card*(b.list+1) + upTo) }
	for bucket, hole := range round.Hole[from.First:][:from.Num] {
		mine := rank(bucket)
		count := func(list []int) (worse, notBetter int) {
			worse = sort.Search(len(list), func(i int) bool { return rank(list[i]) >= mine })
			return worse, sort.Search(len(list), func(i int) bool { return rank(list[i]) > mine })
		}
		worse, notBetter := count(all)
		p := boardwisegpu.Position{Worse: place(b.cards, worse), NotBetter: place(b.cards, notBetter)}
		own := 0
		for k, c := range left {
			if b.list == 0 || !hole.Has(c) {
				continue
			}
			worse, notBetter := count(holders[k])
			p.Cards[own] = boardwisegpu.CardPosition{Number: uint16(k), Worse: place(k, worse),
				NotBetter: place(k, notBetter), All: place(k, b.list)}
			own++
		}
		b.positions = append(b.positions, p)
	}
}

// numSums returns how many sums of reach a vector needs: of a showdown, of all hands and of
// those with each card up to each; of folds, over all of them.
func (b *boards) numSums(showdown bool) int {
	if !showdown {
		return b.cards + 1
	}
	return b.cards*(b.list+1) + b.mostHands + 1
}

// refine lists the buckets of the next round by those that they refine.
func (b *boards) refine(next *boards) {
	b.follow, b.refined = make([]uint32, b.rows+1), make([]uint32, next.rows)
	for _, up := range next.up {
		b.follow[up+1]++
	}
	for i := range b.rows {
		b.follow[i+1] += b.follow[i]
	}
	at := slices.Clone(b.follow)
	for i, up := range next.up {
		b.refined[at[up]] = uint32(i)
		at[up]++
	}
}
