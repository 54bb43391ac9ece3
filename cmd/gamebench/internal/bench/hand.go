package bench

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"runtime"

	"gamebots/acpc/card"
	"gamebots/acpc/hand"
)

// randomHands returns n random hands of a size, each from a full deck. They are the same
// in every run.
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

func benchHand(ctx context.Context, emit func(Row)) error {
	const n = 1 << 20 // more than a branch predictor can learn
	for size := 5; size <= 7 && ctx.Err() == nil; size++ {
		hands := randomHands(n, size)
		t, err := medianThreadTime(func() error {
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
		r := Row{Case: fmt.Sprintf("%d random cards", size), Threads: 1, Metric: "time",
			Value: float64(t.Nanoseconds()) / n, Unit: "ns/hand", Repeated: t.Repeated}
		emit(r)
	}
	return context.Cause(ctx)
}

// signHand hashes the ranks of hands of every size, by both rankings.
func signHand(_ context.Context, method methods) error {
	h := method("")
	sign := func(r hand.Ranking, size int) {
		for _, s := range randomHands(10_000, size) {
			h.Write(binary.LittleEndian.AppendUint64(nil, uint64(r.Rank(s))))
		}
	}
	for size := 1; size <= 10; size++ {
		sign(hand.ACPC, size)
	}
	sign(hand.ThreeCard, 3)
	return nil
}
