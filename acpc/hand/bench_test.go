package hand

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gamebots/acpc/card"
)

// randomHands returns n hands of the given number of cards of the full deck.
func randomHands(n, size int) []card.Set {
	r := rand.New(rand.NewPCG(7, uint64(size)))
	deck := card.Deck(card.NumSuits, card.NumRanks)
	hands := make([]card.Set, n)
	for i := range hands {
		for j := range size {
			k := j + r.IntN(len(deck)-j)
			deck[j], deck[k] = deck[k], deck[j]
		}
		hands[i] = card.SetOf(deck[:size]...)
	}
	return hands
}

// BenchmarkRank ranks shuffled hands out of an array of 32 MB, more than the
// caches hold, so that neither the branch predictor nor memory is flattered.
func BenchmarkRank(b *testing.B) {
	for _, bench := range []struct {
		ranking Ranking
		cards   int
	}{{ACPC, 2}, {ACPC, 5}, {ACPC, 6}, {ACPC, 7}, {ACPC, 8}, {ThreeCard, 3}} {
		b.Run(fmt.Sprintf("%v/cards=%d", bench.ranking, bench.cards), func(b *testing.B) {
			hands := randomHands(1<<22, bench.cards)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				bench.ranking.Rank(hands[i%len(hands)])
			}
		})
	}
}
