package abstraction

import (
	"testing"

	"gamebots/acpc/card"
)

// TestBoardless numbers all sets of a game once, whichever cards are on the table.
func TestBoardless(t *testing.T) {
	g := game(2, 2, 4, 1, 1, 2)
	s := NewBoardless(g)
	for round, cards := range []int{2, 4} {
		seen := make([]int, s.NumBuckets(round))
		card.Subsets(g.Deck(), cards, func(set card.Set) {
			for left := set; left != 0; left &= left - 1 {
				hole := left & -left
				d := Deal{Hole: hole}
				first := (set &^ hole) & -(set &^ hole)
				d.Board[0] = first
				d.Board[1] = set &^ hole &^ first
				seen[s.Bucket(round, d)]++
			}
		})
		for i, n := range seen {
			if n != cards {
				t.Errorf("round %d: %d deals in bucket %d, want %d", round, n, i, cards)
			}
		}
	}
	if b := s.Bucket(0, Deal{Hole: card.New(0, 0).Bit()}); b != -1 {
		t.Errorf("one card is in bucket %d", b)
	}
	foreign := Deal{Hole: card.New(0, 0).Bit()}
	foreign.Board[0] = card.New(0, 1).Bit()
	if b := s.Bucket(0, foreign); b != -1 {
		t.Errorf("cards of another deck are in bucket %d", b)
	}
}
