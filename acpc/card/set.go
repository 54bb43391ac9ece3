package card

import (
	"fmt"
	"iter"
	"math/bits"
)

// Set is a set of cards. The 13 ranks of suit s are the bits 16*s to 16*s+12,
// so that the ranks held in one suit are a shift and a mask away.
type Set uint64

// SetOf returns the set of the given cards.
func SetOf(cards ...Card) Set {
	var s Set
	for _, c := range cards {
		s |= c.Bit()
	}
	return s
}

// Bit returns the set that holds c alone.
func (c Card) Bit() Set { return 1 << (uint(c.Suit())*16 + uint(c.Rank())) }

// Suit returns the 13-bit mask of the ranks held in a suit.
func (s Set) Suit(suit int) uint16 { return uint16(s >> (16 * uint(suit))) }

// Has reports whether c is in the set.
func (s Set) Has(c Card) bool { return s&c.Bit() != 0 }

// Len returns the number of cards in the set.
func (s Set) Len() int { return bits.OnesCount64(uint64(s)) }

// All returns an iterator over the cards of the set, the highest first.
func (s Set) All() iter.Seq[Card] {
	return func(yield func(Card) bool) {
		for c := DeckSize - 1; c >= 0; c-- {
			if s.Has(Card(c)) && !yield(Card(c)) {
				return
			}
		}
	}
}

// String returns the cards, the highest first, as in "AsKd2c".
func (s Set) String() string {
	var text []byte
	for c := range s.All() {
		text = c.Append(text)
	}
	return string(text)
}

// ParseSet reads cards in any order, with nothing between them.
func ParseSet(text string) (s Set, err error) {
	for ; text != ""; text = text[2:] {
		c, err := Parse(text) // the first two characters
		if err != nil {
			return 0, err
		}
		if s.Has(c) {
			return 0, fmt.Errorf("%v is there twice", c)
		}
		s |= c.Bit()
	}
	return s, nil
}

// Subsets calls f with every set of k of the cards, in a fixed order.
func Subsets(cards []Card, k int, f func(Set)) {
	var pick func(from, k int, s Set)
	pick = func(from, k int, s Set) {
		if k == 0 {
			f(s)
			return
		}
		for i := from; i <= len(cards)-k; i++ {
			pick(i+1, k-1, s|cards[i].Bit())
		}
	}
	pick(0, k, 0)
}

// Combinations returns the number of sets of k out of n cards.
func Combinations(n, k int) int {
	c := 1
	for i := range k {
		c = c * (n - i) / (i + 1)
	}
	return c
}
