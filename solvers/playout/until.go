package playout

import (
	"context"

	"gamebots/hexproto/havannah"
)

// batch is how many playouts after each move are played between two looks at the
// context.
const batch = 16

// RateUntil is Rate for live play: it plays what it can of o.Playouts until the
// context ends, and in any case a few. Its counts are those of batches with
// seeds that follow each other, and so not those of Rate.
func RateUntil(ctx context.Context, b *havannah.Board, o Options) ([]Rating, error) {
	var sum []Rating
	for done := uint64(0); done < o.Playouts; done += batch {
		of, some := ctx, o
		if sum == nil {
			of = context.WithoutCancel(ctx)
		}
		some.Playouts, some.Seed = min(batch, o.Playouts-done), o.Seed+done
		part, err := Rate(of, b, some)
		switch {
		case err != nil && sum != nil && ctx.Err() != nil:
			return sum, nil
		case err != nil:
			return nil, err
		case sum == nil:
			sum = part
			continue
		}
		for i := range sum {
			sum[i].Add(&part[i].Tally)
		}
	}
	return sum, nil
}
