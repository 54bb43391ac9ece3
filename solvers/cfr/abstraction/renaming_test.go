package abstraction

import (
	"math/rand/v2"
	"testing"

	"gamebots/acpc/card"
)

// A renaming turns a set of cards into the other, whatever the names of suits, and suits that
// neither has stay apart from those of the deck.
func TestRenamingOf(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for i := range 1000 {
		suits := 1 + i%card.NumSuits
		deck := card.Deck(suits, card.NumRanks)
		from, by := card.Set(0), Renaming{0, 1, 2, 3}
		for range random.IntN(8) {
			from |= deck[random.IntN(len(deck))].Bit()
		}
		first := deck[0].Suit()
		random.Shuffle(suits, func(i, j int) { by[first+i], by[first+j] = by[first+j], by[first+i] })
		to := by.Of(from)
		r := RenamingOf(from, to)
		if r.Of(from) != to || to.Len() != from.Len() {
			t.Fatalf("%v becomes %v, want %v", from, r.Of(from), to)
		}
		if all := card.SetOf(deck...); r.Of(all) != all {
			t.Fatalf("%v turns the deck into %v", r, r.Of(all))
		}
	}
}
