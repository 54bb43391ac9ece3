package abstraction

import (
	"math/bits"

	"gamebots/acpc"
	"gamebots/acpc/card"
)

// Boardless is the card abstraction of Reis (2015): a player sees hole and board cards
// as one set, without knowing which of them are on the board or in which order
// they were dealt. It may be used by several goroutines at once.
type Boardless struct {
	game *acpc.Game
	// deckIndex is the index in the deck of each card, by its bit in a card.Set,
	// or -1. below[n][k] is the number of sets of k cards below card n.
	deckIndex [64]int8
	below     [card.DeckSize][acpc.MaxHoleCards + acpc.MaxBoardCards + 1]int
}

// NewBoardless returns the abstraction for a game.
func NewBoardless(g *acpc.Game) *Boardless {
	s := &Boardless{game: g}
	for i := range s.deckIndex {
		s.deckIndex[i] = -1
	}
	for i, c := range g.Deck() {
		s.deckIndex[bits.TrailingZeros64(uint64(c.Bit()))] = int8(i)
	}
	for n := range s.below {
		for k := range s.below[n] {
			s.below[n][k] = card.Combinations(n, k)
		}
	}
	return s
}

// BoardlessName is the name of the abstraction in strategy files.
const BoardlessName = "sets"

// Name returns [BoardlessName].
func (s *Boardless) Name() string { return BoardlessName }

// NumBuckets returns the number of sets of the cards that a player sees in a round.
func (s *Boardless) NumBuckets(round int) int {
	g := s.game
	return card.Combinations(g.NumSuits*g.NumRanks, g.NumHoleCards+g.BoardCards(round))
}

// Bucket returns the number of the set of a deal's cards, or -1 for cards that the
// game cannot deal. Sets are sorted by their highest cards, then by the next ones.
func (s *Boardless) Bucket(round int, d Deal) int {
	cards := d.cards()
	if cards.Len() != s.game.NumHoleCards+s.game.BoardCards(round) {
		return -1
	}
	// The bits of a card.Set are not in the deck's order.
	set := uint64(0)
	for ; cards != 0; cards &= cards - 1 {
		i := s.deckIndex[bits.TrailingZeros64(uint64(cards))]
		if i < 0 {
			return -1
		}
		set |= 1 << i
	}
	n := 0
	for k := 1; set != 0; set &= set - 1 {
		n += s.below[bits.TrailingZeros64(set)][k]
		k++
	}
	return n
}
