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
	for _, size := range []int{5, 6, 7} {
		b.Run(fmt.Sprintf("cards=%d", size), func(b *testing.B) {
			hands := randomHands(1<<22, size)
			b.ReportAllocs()
			sum, i := 0, 0
			for b.Loop() {
				sum += ACPC.Rank(hands[i&(len(hands)-1)])
				i++
			}
		})
	}
}
