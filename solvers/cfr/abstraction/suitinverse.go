package abstraction

import (
	"sort"

	"gamebots/acpc/card"
)

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
