package boardwise

import (
	"slices"

	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
)

// boards are the boards of a round with their buckets, which are numbered without gaps.
// Those of a board are in ascending order of rank in the last round.
type boards struct {
	boards []board
	rows   int // the buckets of all boards
	most   int // the buckets of a board, at most

	// hands are all hole cards, by board and bucket: packed as a bucket of the board and two
	// positions among the cards that are left, and higher if more cards than before are worse.
	hands []uint32
	// By bucket: the cards of one of its hands, packed in the same way; the bucket of the
	// round before; and the share in that one's value.
	row    []uint32
	up     []uint32
	weight []float32
	// follow are, by bucket, the buckets of the next round that refine it: those in
	// refined from follow[i] up to follow[i+1].
	follow, refined []uint32
}

// board is where the buckets and hands of a board start, how many there are, and the
// first bucket in the abstraction.
type board struct {
	row, rows, hand, hands, bucket int
}

const (
	rowBits  = 11
	cardBits = 6
	rowMask  = 1<<rowBits - 1
	cardMask = 1<<cardBits - 1
	higher   = 1 << 31
)

// newBoards lists the boards of a round. Before are those of the round before, nil for the
// first.
func newBoards(cards *abstraction.Cards, r int, before *boards) *boards {
	round := &cards.Rounds[r]
	b := &boards{}
	for i := range round.Boards {
		from := &round.Boards[i]
		to := board{row: b.rows, rows: int(from.Num), hand: len(b.hands), bucket: int(from.First)}
		position := map[card.Set]uint32{}
		left := leftCards(cards, r, from)
		for k, c := range left {
			position[c.Bit()] = uint32(k)
		}
		b.row = append(b.row, make([]uint32, from.Num)...)
		cards.Holes(r, from, func(hole card.Set, bucket int) {
			lowest, highest := hole&-hole, hole
			for rest := hole; rest != 0; rest &= rest - 1 {
				highest = rest
			}
			hand := uint32(bucket) | position[lowest]<<rowBits | position[highest]<<(rowBits+cardBits)
			b.hands = append(b.hands, hand)
			if hole == round.Hole[int(from.First)+bucket] {
				b.row[to.row+bucket] = hand
			}
		})
		own := b.hands[to.hand:]
		slices.SortFunc(own, func(x, y uint32) int { return int(x&rowMask) - int(y&rowMask) })
		if round.Rank != nil {
			rank := round.Rank[from.First:]
			for k := 1; k < len(own); k++ {
				if rank[own[k]&rowMask] > rank[own[k-1]&rowMask] {
					own[k] |= higher
				}
			}
		}
		to.hands = len(own)
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
		b.most = max(b.most, to.rows)
		b.boards = append(b.boards, to)
	}
	if before != nil {
		before.refine(b)
	}
	return b
}

// leftCards returns the cards that a board leaves.
func leftCards(cards *abstraction.Cards, r int, b *abstraction.Board) []card.Card {
	on := card.Set(0)
	for _, dealt := range b.Cards[:r+1] {
		on |= dealt
	}
	return slices.DeleteFunc(cards.Game.Deck(), on.Has)
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
