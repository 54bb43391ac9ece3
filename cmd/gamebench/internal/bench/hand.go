package bench

import (
	"context"
	"fmt"
	"runtime"

	"gamebots/acpc/hand"
)

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
