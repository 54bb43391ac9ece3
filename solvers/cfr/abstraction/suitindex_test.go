package abstraction

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gamebots/acpc/card"
)

// The sizes are those of the literature, which Count has too, with a board that
// is dealt at once.
func TestSuitIndexSize(t *testing.T) {
	for _, test := range []struct{ ranks, hole, board, want int }{
		{13, 2, 0, 169}, {13, 2, 3, 1286792}, {13, 2, 4, 13960050}, {13, 2, 5, 123156254}, {13, 0, 5, 134459},
	} {
		if got := mustSuitIndex(test.ranks, test.hole, test.board).size; got != test.want {
			t.Errorf("%+v: size %d", test, got)
		}
	}
	for ranks := 5; ranks <= card.NumRanks; ranks++ {
		for board := 3; board <= 5; board++ {
			want, _ := Count(game(2, card.NumSuits, ranks, 2, uint8(board)), Lossless)
			if got := mustSuitIndex(ranks, 2, board).size; float64(got) != want[0] {
				t.Errorf("%d ranks, %d board cards: size %d, want %v", ranks, board, got, want[0])
			}
		}
	}
}

// TestSuitIndex numbers all pairs of small decks: the numbers are those of the canonical
// deals, one to one and without gaps, and each leads back to its pair and the number of
// pairs that share it.
func TestSuitIndex(t *testing.T) {
	for _, test := range []struct{ suits, ranks, hole, board int }{{4, 5, 2, 3}, {4, 5, 0, 5}, {4, 6, 2, 0},
		{4, 7, 2, 2}, {2, 6, 2, 2}, {3, 4, 1, 3}, {1, 5, 2, 1}, {4, 4, 1, 6}} {
		x, err := NewSuitIndex(test.suits, test.ranks, test.hole, test.board)
		if err != nil {
			t.Fatal(err)
		}
		number, deal, pairs := map[Deal]int{}, map[int]Deal{}, map[int]int{}
		deck := card.Deck(test.suits, test.ranks)
		card.Subsets(deck, test.board, func(board card.Set) {
			card.Subsets(slices.DeleteFunc(slices.Clone(deck), board.Has), test.hole, func(hole card.Set) {
				d := Deal{Hole: hole}
				d.Board[0] = board
				d = canonBySuit(&d)
				n := x.Of(hole, board)
				before, ok := number[d]
				if other, taken := deal[n]; n < 0 || n >= x.Size() || ok && before != n || taken && other != d {
					t.Fatalf("%+v: %v is number %d, which is %v; it was %d before", test, d, n, other, before)
				}
				number[d], deal[n] = n, d
				pairs[n]++
			})
		})
		if len(deal) != x.Size() {
			t.Errorf("%+v: %d numbers in use, of %d", test, len(deal), x.Size())
		}
		inDeck := card.SetOf(deck...)
		for n := range x.Size() {
			hole, board, count := x.At(n)
			if x.Of(hole, board) != n || count != pairs[n] || (hole|board)&^inDeck != 0 || hole&board != 0 ||
				hole.Len() != test.hole || board.Len() != test.board {
				t.Fatalf("%+v: number %d is %v and %v, number %d, of %d pairs and not %d", test, n, hole, board,
					x.Of(hole, board), count, pairs[n])
			}
		}
	}
}

// TestSuitIndexOfFullDeck draws pairs of hold'em and renames their suits.
func TestSuitIndexOfFullDeck(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, board := range []int{3, 4, 5} {
		x := mustSuitIndex(13, 2, board)
		for range 10_000 {
			order, suits := rng.Perm(card.DeckSize), rng.Perm(card.NumSuits)
			var plain, renamed [2]card.Set
			for i, c := range order[:2+board] {
				at := min(1, i/2)
				plain[at] |= card.Card(c).Bit()
				renamed[at] |= card.New(card.Card(c).Rank(), suits[card.Card(c).Suit()]).Bit()
			}
			a, b := x.Of(plain[0], plain[1]), x.Of(renamed[0], renamed[1])
			if a != b || a < 0 || a >= x.size {
				t.Fatalf("%d board cards: numbers %d and %d of the same", board, a, b)
			}
			if hole, set, _ := x.At(a); x.Of(hole, set) != a {
				t.Fatalf("%d board cards: number %d is %v and %v, which is number %d", board, a, hole, set,
					x.Of(hole, set))
			}
		}
	}
}

func TestSuitIndexRefuses(t *testing.T) {
	for _, test := range []struct{ hole, board int }{{3, 0}, {2, 8}, {2, 7}} {
		if _, err := NewSuitIndex(4, 13, test.hole, test.board); err == nil {
			t.Errorf("%d hole cards and %d board cards are numbered", test.hole, test.board)
		}
	}
}

func BenchmarkSuitIndex(b *testing.B) {
	x := mustSuitIndex(13, 2, 4)
	var pairs [1024][2]card.Set
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range pairs {
		for j, c := range rng.Perm(card.DeckSize)[:6] {
			pairs[i][min(1, j/2)] |= card.Card(c).Bit()
		}
	}
	i := 0
	b.Run("of", func(b *testing.B) {
		for b.Loop() {
			i += x.Of(pairs[i%1024][0], pairs[i%1024][1])%7 + 1
		}
	})
	b.Run("at", func(b *testing.B) {
		for b.Loop() {
			i += 7919
			x.At(i % x.Size())
		}
	})
}
