package abstraction

import (
	"fmt"
	"math"
	"math/bits"
	"sort"

	"gamebots/acpc"
	"gamebots/acpc/card"
)

// SuitIndex numbers pairs of hole cards and a board, from 0 without gaps. Two pairs
// have the same number if and only if a renaming of the suits turns one into the
// other. The order in which the board was dealt does not count. The idea is that
// of Waugh, "A fast and optimal hand isomorphism algorithm", 2013. A SuitIndex does
// not change and may be shared between goroutines.
//
// One suit is described by its counts of board and hole cards and by the number
// of its ranks among all ranks with these counts. The counts of the four suits
// select a range of numbers. Suits with the same counts can be exchanged, so they
// are numbered together as a multiset.
type SuitIndex struct {
	suits, ranks int
	size         int
	first        []int32 // first number of each list of counts; see counts
	ranges       []suitRange
}

// suitRange is the numbers of the pairs whose suits have some counts: those from first
// on, up to the next range.
type suitRange struct {
	first  int
	counts [card.NumSuits]int // descending
}

const (
	maxSuitBoard = acpc.MaxBoardCards
	maxSuitHole  = 2
	// suitCounts is the number of pairs of counts that a suit can have.
	suitCounts = (maxSuitBoard + 1) * (maxSuitHole + 1)
)

// NewSuitIndex returns the index of pairs of hole cards and board cards from a deck of a
// number of suits and ranks, the highest ones. The error is for more than two hole cards,
// and for pairs too many to be numbered by 31 bits.
func NewSuitIndex(suits, ranks, hole, board int) (*SuitIndex, error) {
	x := &SuitIndex{suits: suits, ranks: ranks}
	if hole > maxSuitHole || board > maxSuitBoard {
		return nil, fmt.Errorf("%d hole cards and %d board cards are not numbered, only up to %d and %d", hole, board,
			maxSuitHole, maxSuitBoard)
	}
	x.first = make([]int32, suitCounts*suitCounts*suitCounts*suitCounts)
	var counts [card.NumSuits]int
	var pick func(i, below, hole, board int)
	pick = func(i, below, hole, board int) {
		if i == suits {
			if hole == 0 && board == 0 && x.size <= math.MaxInt32 {
				x.first[countsKey(counts)] = int32(x.size)
				x.ranges = append(x.ranges, suitRange{x.size, counts})
				x.size += x.arrangements(counts)
			}
			return
		}
		for c := below; c >= 0; c-- {
			if b, h := c/(maxSuitHole+1), c%(maxSuitHole+1); b <= board && h <= hole && b+h <= ranks {
				counts[i] = c
				pick(i+1, c, hole-h, board-b)
			}
		}
	}
	pick(0, suitCounts-1, hole, board)
	if x.size > math.MaxInt32 {
		return nil, fmt.Errorf("%d hole cards and %d board cards of %d have over %d combinations "+
			"up to the names of suits", hole, board, suits*ranks, math.MaxInt32)
	}
	return x, nil
}

// mustSuitIndex is NewSuitIndex for hold'em's pairs, which are few enough.
func mustSuitIndex(ranks, hole, board int) *SuitIndex {
	x, err := NewSuitIndex(card.NumSuits, ranks, hole, board)
	if err != nil {
		panic(err)
	}
	return x
}

// Size returns the number of pairs up to the names of suits.
func (x *SuitIndex) Size() int { return x.size }

// countsKey returns the index in SuitIndex.first of the suits' counts.
func countsKey(suits [card.NumSuits]int) int {
	key := 0
	for _, c := range suits {
		key = key*suitCounts + c
	}
	return key
}

// arrangements returns how many pairs have suits with these counts.
func (x *SuitIndex) arrangements(suits [card.NumSuits]int) int {
	n := 1
	for i := 0; i < len(suits); {
		same := i
		for same < len(suits) && suits[same] == suits[i] {
			same++
		}
		b, h := suits[i]/(maxSuitHole+1), suits[i]%(maxSuitHole+1)
		each := combinations[x.ranks][b] * combinations[x.ranks-b][h]
		n *= multisets(each, same-i)
		i = same
	}
	return n
}

// Of returns the number of a pair, which must have the cards of the index.
func (x *SuitIndex) Of(hole, board card.Set) int {
	// A suit is its counts and, in the bits below, the number of its ranks. So
	// sorting groups equal counts and orders their numbers.
	var suits [card.NumSuits]uint32
	for s := range suits {
		b, h := board.Suit(s)>>(card.NumRanks-x.ranks), hole.Suit(s)>>(card.NumRanks-x.ranks)
		nb, nh := bits.OnesCount16(b), bits.OnesCount16(h)
		number := setNumber[b]
		if nh > 0 {
			// The hole cards' ranks among those that are not on the board.
			left, k := uint32(0), 1
			for ; h != 0; h &= h - 1 {
				rank := bits.TrailingZeros16(h)
				left += uint32(combinations[rank-bits.OnesCount16(b&(1<<rank-1))][k])
				k++
			}
			number = number*uint32(combinations[x.ranks-nb][nh]) + left
		}
		suit := uint32(nb*(maxSuitHole+1)+nh)<<16 | number
		at := s
		for ; at > 0 && suits[at-1] < suit; at-- {
			suits[at] = suits[at-1]
		}
		suits[at] = suit
	}
	key := 0
	for _, s := range suits {
		key = key*suitCounts + int(s>>16)
	}
	number, size := 0, 1
	for i := 0; i < len(suits); {
		same := i
		for same < len(suits) && suits[same]>>16 == suits[i]>>16 {
			same++
		}
		c := int(suits[i] >> 16)
		b, h := c/(maxSuitHole+1), c%(maxSuitHole+1)
		for k := same - i; k > 0; k-- {
			number += size * multisets(int(suits[same-k]&0xffff), k)
		}
		size *= multisets(combinations[x.ranks][b]*combinations[x.ranks-b][h], same-i)
		i = same
	}
	return int(x.first[key]) + number
}

// multisets returns the number of multisets of k items out of n.
func multisets(n, k int) int {
	switch k {
	case 1:
		return n
	case 2:
		return n * (n + 1) / 2
	case 3:
		return n * (n + 1) * (n + 2) / 6
	}
	return n * (n + 1) * (n + 2) * (n + 3) / 24
}

// combinations[n][k] is the binomial coefficient of n and k.
var combinations = func() (c [card.NumRanks + 1][maxSuitBoard + maxSuitHole + 1]int) {
	for n := range c {
		for k := range c[n] {
			c[n][k] = card.Combinations(n, k)
		}
	}
	return c
}()

// setNumber numbers the sets of the same number of ranks: a set r1 < r2 < … has the
// number C(r1,1) + C(r2,2) + ….
var setNumber = func() (numbers [1 << card.NumRanks]uint32) {
	for s := range numbers {
		k := 1
		for left := uint16(s); left != 0; left &= left - 1 {
			if k < len(combinations[0]) {
				numbers[s] += uint32(combinations[bits.TrailingZeros16(left)][k])
			}
			k++
		}
	}
	return numbers
}()

// At returns a pair by its number, and how many pairs have this number. It is the inverse
// of [SuitIndex.Of].
func (x *SuitIndex) At(number int) (hole, board card.Set, pairs int) {
	r := &x.ranges[sort.Search(len(x.ranges), func(i int) bool { return x.ranges[i].first > number })-1]
	number -= r.first
	pairs = factorial[x.suits]
	for i := 0; i < x.suits; {
		same := i + 1
		for same < x.suits && r.counts[same] == r.counts[i] {
			same++
		}
		b, h := r.counts[i]/(maxSuitHole+1), r.counts[i]%(maxSuitHole+1)
		holes := combinations[x.ranks-b][h]
		each := combinations[x.ranks][b] * holes
		group := multisets(each, same-i)
		rest := number % group
		number /= group
		// The suits of a group descend by their numbers. Equal ones can be exchanged
		// without effect.
		before, equal := -1, 0
		for k := same - i; k > 0; k-- {
			suit := sort.Search(each, func(n int) bool { return multisets(n, k) > rest }) - 1
			rest -= multisets(suit, k)
			if suit != before {
				before, equal = suit, 0
			}
			equal++
			pairs /= equal
			onBoard := setOf(suit/holes, b)
			inHand := spread(setOf(suit%holes, h), onBoard)
			shift := 16*(card.NumSuits-1-(same-k)) + card.NumRanks - x.ranks
			board |= card.Set(onBoard) << shift
			hole |= card.Set(inHand) << shift
		}
		i = same
	}
	return hole, board, pairs
}

// setOf returns the set of k ranks that has a number, see setNumber.
func setOf(number, k int) (set uint16) {
	for ; k > 0; k-- {
		rank := sort.Search(card.NumRanks, func(r int) bool { return combinations[r][k] > number }) - 1
		number -= combinations[rank][k]
		set |= 1 << rank
	}
	return set
}

// spread returns the ranks of a set that counts only the ranks outside of another.
func spread(set, without uint16) (out uint16) {
	for rank := 0; set != 0; rank++ {
		if without>>rank&1 == 0 {
			out |= set & 1 << rank
			set >>= 1
		}
	}
	return out
}

// factorial has n! by n.
var factorial = [card.NumSuits + 1]int{1, 1, 2, 6, 24}
