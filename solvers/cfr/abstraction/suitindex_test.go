package abstraction

import (
	"math/rand/v2"
	"testing"

	"gamebots/acpc/card"
)

// The sizes are those of the literature, which Count has too, with a board that
// is dealt at once.
func TestSuitIndexSize(t *testing.T) {
	for _, test := range []struct{ ranks, hole, board, want int }{
		{13, 2, 0, 169}, {13, 2, 3, 1286792}, {13, 2, 4, 13960050}, {13, 2, 5, 123156254}, {13, 0, 5, 134459},
	} {
		if got := newSuitIndex(test.ranks, test.hole, test.board).size; got != test.want {
			t.Errorf("%+v: size %d", test, got)
		}
	}
	for ranks := 5; ranks <= card.NumRanks; ranks++ {
		for board := 3; board <= 5; board++ {
			want, _ := Count(game(2, card.NumSuits, ranks, 2, uint8(board)), Lossless)
			if got := newSuitIndex(ranks, 2, board).size; float64(got) != want[0] {
				t.Errorf("%d ranks, %d board cards: size %d, want %v", ranks, board, got, want[0])
			}
		}
	}
}

// TestSuitIndex numbers all pairs of small decks, and pairs of the full one: the
// numbers are those of the canonical deals, one to one, and without gaps.
func TestSuitIndex(t *testing.T) {
	for _, test := range []struct{ ranks, hole, board int }{{5, 2, 3}, {5, 0, 5}, {6, 2, 0}, {7, 2, 2}} {
		x := newSuitIndex(test.ranks, test.hole, test.board)
		number, deal := map[Deal]int{}, map[int]Deal{}
		deck := card.Deck(card.NumSuits, test.ranks)
		card.Subsets(deck, test.board, func(board card.Set) {
			rest := (&Cards{Game: game(2, card.NumSuits, test.ranks, 2, 0)}).rest(board)
			card.Subsets(rest, test.hole, func(hole card.Set) {
				d := Deal{Hole: hole}
				d.Board[0] = board
				d = canonBySuit(&d)
				n := x.of(hole, board)
				before, ok := number[d]
				if other, taken := deal[n]; n < 0 || n >= x.size || ok && before != n || taken && other != d {
					t.Fatalf("%+v: %v is number %d, which is %v; it was %d before", test, d, n, other, before)
				}
				number[d], deal[n] = n, d
			})
		})
		if len(deal) != x.size {
			t.Errorf("%+v: %d numbers in use, of %d", test, len(deal), x.size)
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for _, board := range []int{3, 4, 5} {
		x := newSuitIndex(13, 2, board)
		for range 10_000 {
			order, suits := rng.Perm(card.DeckSize), rng.Perm(card.NumSuits)
			var plain, renamed [2]card.Set
			for i, c := range order[:2+board] {
				at := min(1, i/2)
				plain[at] |= card.Card(c).Bit()
				renamed[at] |= card.New(card.Card(c).Rank(), suits[card.Card(c).Suit()]).Bit()
			}
			a, b := x.of(plain[0], plain[1]), x.of(renamed[0], renamed[1])
			if a != b || a < 0 || a >= x.size {
				t.Fatalf("%d board cards: numbers %d and %d of the same", board, a, b)
			}
		}
	}
}

func BenchmarkSuitIndex(b *testing.B) {
	x := newSuitIndex(13, 2, 4)
	var pairs [1024][2]card.Set
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range pairs {
		for j, c := range rng.Perm(card.DeckSize)[:6] {
			pairs[i][min(1, j/2)] |= card.Card(c).Bit()
		}
	}
	i := 0
	for b.Loop() {
		i += x.of(pairs[i%1024][0], pairs[i%1024][1])%7 + 1
	}
}
