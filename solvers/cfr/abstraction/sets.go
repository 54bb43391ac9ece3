package abstraction

import (
	"math/bits"

	"gamebots/acpc"
	"gamebots/acpc/card"
)

// Sets is the card abstraction of Reis (2015): a player sees hole and board
// cards as one set, without knowing which lie on the table or in what order
// they came. It may be used by several goroutines at once.
type Sets struct {
	game *acpc.Game
	// place is the number of each card, by its bit in a card.Set, or -1; below
	// counts the sets that are numbered before one by its highest cards.
	place [64]int8
	below [card.DeckSize][acpc.MaxHoleCards + acpc.MaxBoardCards + 1]int
}

// NewSets returns the abstraction for a game.
func NewSets(g *acpc.Game) *Sets {
	s := &Sets{game: g}
	for i := range s.place {
		s.place[i] = -1
	}
	for i, c := range g.Deck() {
		s.place[bits.TrailingZeros64(uint64(c.Bit()))] = int8(i)
	}
	for n := range s.below {
		for k := range s.below[n] {
			s.below[n][k] = int(choose(n, k))
		}
	}
	return s
}

// SetsName is what a strategy file calls the abstraction.
const SetsName = "sets"

// Name returns SetsName.
func (s *Sets) Name() string { return SetsName }

// NumBuckets returns the number of sets of as many cards as a player sees in a
// round.
func (s *Sets) NumBuckets(round int) int {
	g := s.game
	return int(choose(g.NumSuits*g.NumRanks, g.NumHoleCards+g.BoardCards(round)))
}

// Bucket returns the number of the set of a deal's cards, or -1 for cards that
// the game cannot deal. Sets are in the order of their highest cards, then of
// the next ones.
func (s *Sets) Bucket(round int, d Deal) int {
	cards := d.cards()
	if cards.Len() != s.game.NumHoleCards+s.game.BoardCards(round) {
		return -1
	}
	// The bits of a card.Set are not in the deck's order.
	set := uint64(0)
	for ; cards != 0; cards &= cards - 1 {
		place := s.place[bits.TrailingZeros64(uint64(cards))]
		if place < 0 {
			return -1
		}
		set |= 1 << place
	}
	n := 0
	for k := 1; set != 0; set &= set - 1 {
		n += s.below[bits.TrailingZeros64(set)][k]
		k++
	}
	return n
}
