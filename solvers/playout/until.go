package playout

import (
	"context"

	"gamebots/hexproto/havannah"
)

// batch is the number of playouts after each move between checks of the context.
const batch = 16

// RateUntil is Rate for live play: it plays up to o.Playouts until the context is done, but
// at least one batch. Its counts are not those of Rate, because each batch has a seed of
// its own.
func RateUntil(ctx context.Context, b *havannah.Board, o Options) ([]Rating, error) {
	var sum []Rating
	for done := uint64(0); done < o.Playouts; done += batch {
		batchCtx, part := ctx, o
		if sum == nil {
			batchCtx = context.WithoutCancel(ctx)
		}
		part.Playouts, part.Seed = min(batch, o.Playouts-done), o.Seed+done
		ratings, err := Rate(batchCtx, b, part)
		switch {
		case err != nil && sum != nil && ctx.Err() != nil:
			//lint:ignore nilerr the batches before count
			return sum, nil
		case err != nil:
			return nil, err
		case sum == nil:
			sum = ratings
			continue
		}
		for i := range sum {
			sum[i].Add(&ratings[i].Tally)
		}
	}
	return sum, nil
}
