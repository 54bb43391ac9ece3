package mccfr

import (
	"math/bits"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/internal/rng"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/policy"
)

// Cards finds the bucket and the showdown rank of a player's view of the cards.
// Small games have them in tables.
type Cards struct {
	Deck    []card.Card
	rules   *acpc.Game
	buckets policy.Buckets
	// bucket has a table per round, rank that of the last round. Both are nil for
	// large games. A table is indexed by the numbers of the view's sets of cards,
	// in mixed radix.
	bucket [][]int32
	rank   []int32
}

// View is the cards that one player sees by the end of a hand: the hole cards and
// the board cards of each round, as sets and as the numbers of these sets. The
// number of a set is its index among all sets of its size in colexicographic
// order: by the highest card, then the next one.
type View struct {
	Cards abstraction.Deal
	Hole  int
	Board [acpc.MaxRounds]int
}

// maxViews is the size of the largest table. Its 4 MiB stay in a typical
// second-level cache; larger ones would gain little.
const maxViews = 1 << 20

func newCards(rules *acpc.Game, buckets policy.Buckets) Cards {
	c := Cards{Deck: rules.Deck(), rules: rules, buckets: buckets}
	size := c.sets(rules.NumHoleCards)
	for r := range rules.NumRounds {
		size *= c.sets(int(rules.NumBoardCards[r]))
		if size > maxViews {
			return c
		}
	}
	c.rank = make([]int32, size)
	for r := range rules.NumRounds {
		c.bucket = append(c.bucket, nil)
		c.each(r, func(v *View) {
			c.bucket[r] = append(c.bucket[r], int32(buckets.Bucket(r, v.Cards)))
		}, func() { c.bucket[r] = append(c.bucket[r], -1) })
	}
	c.rank = c.rank[:0]
	last := rules.NumRounds - 1
	c.each(last, func(v *View) { c.rank = append(c.rank, c.strength(v)) }, func() { c.rank = append(c.rank, -1) })
	return c
}

// sets returns the number of sets of k cards of the deck.
func (c *Cards) sets(k int) int { return binomial[len(c.Deck)][k] }

// each calls valid for all views up to a round in the order of the tables, and
// invalid for those in which a card is dealt twice.
func (c *Cards) each(round int, valid func(*View), invalid func()) {
	var v View
	var deal func(r int, used card.Set, twice bool)
	deal = func(r int, used card.Set, twice bool) {
		if r > round {
			if twice {
				invalid()
			} else {
				valid(&v)
			}
			return
		}
		c.Subsets(int(c.rules.NumBoardCards[r]), func(s card.Set) {
			v.Cards.Board[r] = s
			deal(r+1, used|s, twice || s&used != 0)
		})
	}
	c.Subsets(c.rules.NumHoleCards, func(s card.Set) {
		v.Cards.Hole = s
		deal(0, s, false)
	})
}

// Subsets calls f with all sets of k cards of the deck in the order of their
// numbers.
func (c *Cards) Subsets(k int, f func(card.Set)) {
	if k == 0 {
		f(0)
		return
	}
	for s := uint64(1)<<k - 1; s < 1<<len(c.Deck); {
		set := card.Set(0)
		for left := s; left != 0; left &= left - 1 {
			set |= c.Deck[bits.TrailingZeros64(left)].Bit()
		}
		f(set)
		// The next larger number with as many bits.
		low := s & -s
		high := s + low
		s = high | (s^high)>>2/low
	}
}

// offset returns the index of a view up to a round in the tables.
func (c *Cards) offset(round int, v *View) int {
	at := v.Hole
	for r := range round + 1 {
		if k := c.rules.NumBoardCards[r]; k > 0 {
			at = at*c.sets(int(k)) + v.Board[r]
		}
	}
	return at
}

// Bucket returns the bucket of a view in a round.
func (c *Cards) Bucket(round int, v *View) int {
	if c.bucket != nil {
		return int(c.bucket[round][c.offset(round, v)])
	}
	d := abstraction.Deal{Hole: v.Cards.Hole}
	copy(d.Board[:], v.Cards.Board[:round+1])
	return c.buckets.Bucket(round, d)
}

// Rank returns the rank of a view at showdown: the higher, the better.
func (c *Cards) Rank(v *View) int32 {
	if c.rank != nil {
		return c.rank[c.offset(c.rules.NumRounds-1, v)]
	}
	return c.strength(v)
}

func (c *Cards) strength(v *View) int32 {
	s := v.Cards.Hole
	for _, b := range v.Cards.Board {
		s |= b
	}
	return int32(c.rules.HandRanking.Rank(s))
}

// Draw draws k cards at random that are not in used, which is a set of indices in
// the deck, and adds them to it. It returns the cards and the number of their set.
func (c *Cards) Draw(random *rng.Stream, used *uint64, k int) (card.Set, int) {
	var s drawnSet
	for s.n < k {
		if index := random.IntN(len(c.Deck)); *used>>index&1 == 0 {
			*used |= 1 << index
			s.add(uint8(index))
		}
	}
	return c.set(&s), s.number()
}

// set returns the cards of a drawn set.
func (c *Cards) set(s *drawnSet) (cards card.Set) {
	for _, index := range s.indices[:s.n] {
		cards |= c.Deck[index].Bit()
	}
	return cards
}

// drawnSet is a set of cards that is being drawn.
type drawnSet struct {
	indices [acpc.MaxBoardCards]uint8 // places of the cards in the deck, ascending
	n       int
}

func (s *drawnSet) add(index uint8) {
	i := s.n
	for ; i > 0 && s.indices[i-1] > index; i-- {
		s.indices[i] = s.indices[i-1]
	}
	s.indices[i] = index
	s.n++
}

// number returns the set's number among all of its size, see View.
func (s *drawnSet) number() int {
	k := 0
	for i, index := range s.indices[:s.n] {
		k += binomial[index][i+1]
	}
	return k
}

// binomial[n][k] is the number of ways to choose k of n.
var binomial = func() (c [card.DeckSize + 1][acpc.MaxBoardCards + 1]int) {
	for n := range c {
		c[n][0] = 1
		for k := 1; k < len(c[n]) && n > 0; k++ {
			c[n][k] = c[n-1][k-1] + c[n-1][k]
		}
	}
	return c
}()
