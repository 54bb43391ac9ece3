package hand

import (
	"fmt"
	"testing"

	"gamebots/acpc/card"

	"github.com/google/go-cmp/cmp"
)

// everyHand calls f with every set of size cards of the deck.
func everyHand(deck []card.Card, size int, f func(card.Set)) {
	var deal func(from, size int, s card.Set)
	deal = func(from, size int, s card.Set) {
		if size == 0 {
			f(s)
			return
		}
		for i := from; i <= len(deck)-size; i++ {
			deal(i+1, size-1, s|deck[i].Bit())
		}
	}
	deal(0, size, 0)
}

func fullDeck() []card.Card { return card.Deck(card.NumSuits, card.NumRanks) }

func categoryOf(rank int) category { return category(rank >> (2 * card.NumRanks)) }

func cards(t *testing.T, text string) card.Set {
	t.Helper()
	var s card.Set
	for ; text != ""; text = text[2:] {
		c, err := card.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		s |= c.Bit()
	}
	return s
}

// The numbers of hands are those of combinatorics, and the paths are compared
// on the whole of five-card poker.
func TestEveryFiveCardHand(t *testing.T) {
	got := map[category]int{}
	values := map[int]struct{}{}
	everyHand(fullDeck(), 5, func(s card.Set) {
		plain := rankFive(s)
		if fast := rankSeven(s, 5); fast != plain {
			t.Fatalf("%#x: fast path %#x, plain evaluator %#x", s, fast, plain)
		}
		got[categoryOf(plain)]++
		values[plain] = struct{}{}
	})
	want := map[category]int{
		highCard: 1302540, pair: 1098240, twoPair: 123552, trips: 54912, straight: 10200,
		flush: 5108, fullHouse: 3744, quads: 624, straightFlush: 40,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("hands in a category (-want +got):\n%s", d)
	}
	if len(values) != 7462 {
		t.Errorf("%d distinct values, want 7462", len(values))
	}
}

// Short decks are small enough to compare the paths on all of their seven-card
// hands: few ranks make quads and full houses common, few suits flushes.
func TestEverySevenCardHandOfShortDecks(t *testing.T) {
	for _, deck := range []struct{ suits, ranks int }{{4, 5}, {2, 10}, {3, 7}, {1, 13}} {
		t.Run(fmt.Sprintf("suits=%d,ranks=%d", deck.suits, deck.ranks), func(t *testing.T) {
			everyHand(card.Deck(deck.suits, deck.ranks), 7, func(s card.Set) {
				if fast, plain := rankSeven(s, 7), rankBestFive(s, s); fast != plain {
					t.Fatalf("%#x: fast path %#x, plain evaluator %#x", s, fast, plain)
				}
			})
		})
	}
}

// The seven-card counts are the well-known ones; the fast path alone counts
// all 133,784,560 hands.
func TestEverySevenCardHand(t *testing.T) {
	var got [straightFlush + 1]int
	everyHand(fullDeck(), 7, func(s card.Set) { got[categoryOf(rankSeven(s, 7))]++ })
	want := [...]int{
		highCard: 23294460, pair: 58627800, twoPair: 31433400, trips: 6461620, straight: 6180020,
		flush: 4047644, fullHouse: 3473184, quads: 224848, straightFlush: 41584,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("hands in a category (-want +got):\n%s", d)
	}
}

func TestRandomHands(t *testing.T) {
	for _, size := range []int{6, 7} {
		for _, s := range randomHands(100_000, size) {
			if fast, plain := rankSeven(s, size), rankBestFive(s, s); fast != plain {
				t.Fatalf("%#x: fast path %#x, plain evaluator %#x", s, fast, plain)
			}
		}
	}
}

// Whatever the number of cards, one too many leaves the best of the hands
// without it. From eight cards to seven this crosses over to the fast path.
func TestMoreCards(t *testing.T) {
	for size := 6; size <= 10; size++ {
		for _, s := range randomHands(1000, size) {
			best := 0
			for rest := s; rest != 0; rest &= rest - 1 {
				best = max(best, ACPC.Rank(s&^(rest&-rest)))
			}
			if got := ACPC.Rank(s); got != best {
				t.Fatalf("%#x: rank %#x, without one card up to %#x", s, got, best)
			}
		}
	}
}

// Under five cards there are as many ranks as there are multisets of ranks
// that four suits can hold.
func TestFewCards(t *testing.T) {
	for i, want := range []int{13, 91, 455, 1820} {
		values := map[int]struct{}{}
		everyHand(fullDeck(), i+1, func(s card.Set) {
			fast, plain := rankSeven(s, i+1), rankFive(s)
			if fast != plain {
				t.Fatalf("%#x: fast path %#x, plain evaluator %#x", s, fast, plain)
			}
			values[plain] = struct{}{}
		})
		if len(values) != want {
			t.Errorf("%d cards: %d distinct values, want %d", i+1, len(values), want)
		}
	}
}

// Each list falls; hands on one line tie.
func TestACPCOrder(t *testing.T) {
	for name, order := range map[string][][]string{
		"one card":    {{"As", "Ac"}, {"Kd"}, {"2h"}},
		"two cards":   {{"2c2d"}, {"AsKs", "AhKd"}, {"AsQs"}, {"KsQh"}, {"3s2s"}},
		"three cards": {{"2c2d2h"}, {"AsAdKs"}, {"2s2d3c"}, {"AsKsQs", "AsKdQh"}, {"4s3s2s"}},
		"four cards":  {{"2c2d2h2s"}, {"2c2d2hAs"}, {"KcKdQcQd"}, {"AsAdKcQc"}, {"AsKsQsJs", "AhKsQdJc"}},
		"categories": {{"6s5s4s3s2s"}, {"2c2d2h2s3c"}, {"2c2d2h3s3c"}, {"7s5s4s3s2s"}, {"As2d3d4d5c"},
			{"2c2d2h4c3c"}, {"3c3d2c2d4h"}, {"2c2d3h4h5h"}, {"AcKcQcJc9d"}},
		"straights":      {{"AcKcQcJcTd"}, {"KcQcJcTd9d"}, {"6c5c4c3c2d"}, {"5c4c3c2cAd"}, {"AcKc4c3c2d"}},
		"straight flush": {{"AcKcQcJcTc"}, {"6c5c4c3c2c"}, {"5c4c3c2cAc", "5s4s3s2sAs"}},
		"flush kickers":  {{"AcKcQcJc9c"}, {"AcKcQcJc8c", "AhKhQhJh8h"}, {"7h5h4h3h2h"}},
		"full houses":    {{"3c3d3h2c2d"}, {"2c2d2hAcAd"}, {"2c2d2hKcKd"}},
		"pairs": {{"AcAdKcKd2h"}, {"AcAdQcQdKh"}, {"AcAdQcQdJh", "AhAsQhQsJc"}, {"AcAd5c4c3c"},
			{"KcKdAc3c2h"}},
		"six cards": {{"AcAdAhAs3c2d"}, {"AcAdAhKs3c3d"}, {"AcAdKcKdQhQs", "AcAdKcKdQhJs"}, {"AcAdKcKdJhJs"}},
		"seven cards": {{"5c4c3c2cAcAdAh"}, {"AcAdAhKcKdKh2s", "AcAdAhKcKd3h2s"}, {"AcKcQcJc9c9d9h"},
			{"AcAdKcQcJcTd2s"}, {"KcKdQcQdJcJdAh"}, {"KcKdQcQdJcJdTh"}},
		"eight cards": {{"5c4c3c2cAcKdKhKs"}, {"AcAdAhAs3c3d2h2s", "AcAdAhAs3c3d3h3s"}, {"AcKcQcJc9c9d9h9s"},
			{"AcKcQcJc9c9d9hAd"}, {"AcKcQcJc9c9d8hAd"}},
		"ten cards": {{"6c5c4c3c2cAdKdQdJd9d"}, {"AdAcAhKdKcKhQdQcQh2d"}, {"AdKdQdJd9d6c5c4c2c7c"},
			{"AdKdQd9d8d7c6h5c3c2h"}},
		"no short wheels": {{"AsKs9s8d7d"}, {"AsQs9s8d7d"}},
	} {
		t.Run(name, func(t *testing.T) { checkOrder(t, ACPC, order) })
	}
}

func TestThreeCardOrder(t *testing.T) {
	for name, order := range map[string][][]string{
		"categories":      {{"As2s3s"}, {"2c2d2h"}, {"As2s3d"}, {"5s3s2s"}, {"2c2d3h"}, {"AsKsJd"}},
		"straight flush":  {{"AsKsQs", "AhKhQh"}, {"4s3s2s"}, {"3s2sAs"}},
		"trips":           {{"AsAdAh"}, {"KsKdKh"}},
		"straights":       {{"AsKsQd"}, {"KsQsJd"}, {"4s3s2d"}, {"3s2sAd"}},
		"flushes":         {{"AsKsJs", "AhKhJh"}, {"AsKsTs"}, {"AsQsJs"}, {"KsQsTs"}, {"5s3s2s"}},
		"pairs":           {{"AsAdKh", "AsAcKd"}, {"AsAdQh"}, {"KsKdAh"}, {"2s2d3h"}},
		"high cards":      {{"AsKsJd", "AhKsJh"}, {"AsKsTd"}, {"AsQsJd"}, {"KsQsTd"}, {"5s3s2d"}},
		"no round corner": {{"2s3s4d"}, {"KsAs2d"}},
	} {
		t.Run(name, func(t *testing.T) { checkOrder(t, ThreeCard, order) })
	}
}

func checkOrder(t *testing.T, r Ranking, falling [][]string) {
	t.Helper()
	for i, ties := range falling {
		rank := r.Rank(cards(t, ties[0]))
		for _, other := range ties[1:] {
			if got := r.Rank(cards(t, other)); got != rank {
				t.Errorf("%s is %#x but %s is %#x, want a tie", ties[0], rank, other, got)
			}
		}
		if i > 0 && r.Rank(cards(t, falling[i-1][0])) <= rank {
			t.Errorf("%s does not beat %s", falling[i-1][0], ties[0])
		}
	}
}

func TestEveryThreeCardHand(t *testing.T) {
	got := map[category]int{}
	everyHand(fullDeck(), 3, func(s card.Set) { got[categoryOf(ThreeCard.Rank(s))]++ })
	want := map[category]int{
		threeHighCard: 16440, threePair: 3744, threeFlush: 1096,
		threeStraight: 720, threeTrips: 52, threeStraightFlush: 48,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("hands in a category (-want +got):\n%s", d)
	}
}

func TestRankDoesNotAllocate(t *testing.T) {
	hands := randomHands(100, 7)
	if n := testing.AllocsPerRun(10, func() {
		for _, s := range hands {
			ACPC.Rank(s)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestParseRanking(t *testing.T) {
	for _, r := range []Ranking{ACPC, ThreeCard} {
		if got, err := ParseRanking(r.String()); err != nil || got != r {
			t.Errorf("ParseRanking(%q) = %v, %v", r, got, err)
		}
	}
	if got, err := ParseRanking("THREECARD"); err != nil || got != ThreeCard {
		t.Errorf("upper case: %v, %v", got, err)
	}
	if _, err := ParseRanking("badugi"); err == nil ||
		err.Error() != `hand ranking "badugi" is not one of acpc, threeCard` {
		t.Errorf("unknown name: %v", err)
	}
}
