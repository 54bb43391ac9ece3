package bench

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"runtime"

	"gamebots/acpc/card"
	"gamebots/acpc/hand"
)

// randomHands deals n hands of a size from the full deck, each from a whole
// deck: the same ones every time.
func randomHands(n, size int) []card.Set {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(size)))
	deck := card.Deck(card.NumSuits, card.NumRanks)
	hands := make([]card.Set, n)
	for i := range hands {
		for j := range size {
			k := j + rng.IntN(len(deck)-j)
			deck[j], deck[k] = deck[k], deck[j]
		}
		hands[i] = card.SetOf(deck[:size]...)
	}
	return hands
}

func benchHand(ctx context.Context, emit func(Row) error) error {
	const n = 1 << 20 // more than a branch predictor remembers
	for size := 5; size <= 7 && ctx.Err() == nil; size++ {
		hands := randomHands(n, size)
		t, err := medianTime(func() error {
			sum := 0
			for _, h := range hands {
				sum += hand.ACPC.Rank(h)
			}
			runtime.KeepAlive(sum)
			return nil
		})
		if err != nil {
			return err
		}
		r := Row{Case: fmt.Sprintf("%d random cards", size), Threads: 1, Metric: "time", Value: float64(t.Nanoseconds()) / n, Unit: "ns/hand"}
		if err := emit(r); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// signHand ranks hands of every size and of both rankings.
func signHand(context.Context) (uint64, error) {
	h := fnv.New64a()
	sign := func(r hand.Ranking, size int) {
		for _, s := range randomHands(10_000, size) {
			h.Write(binary.LittleEndian.AppendUint64(nil, uint64(r.Rank(s))))
		}
	}
	for size := 1; size <= 10; size++ {
		sign(hand.ACPC, size)
	}
	sign(hand.ThreeCard, 3)
	return h.Sum64(), nil
}
