package playout

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"gamebots/hexproto/havannah"
)

// Rating is what playouts after a move have come to.
type Rating struct {
	Move havannah.Move
	Tally
}

// Options say how much to play and with what.
type Options struct {
	Playouts uint64 // after each move
	Seed     uint64
	Threads  int     // of the CPU, unless there is
	Device   *Device // which plays all
}

// Rate plays a number of random games after every legal move of a position and
// returns the counts in the order of the moves. They depend on the position, the
// number of playouts and the seed alone. An error is the context's, or says that
// there is nothing to rate or to rate with.
func Rate(ctx context.Context, b *havannah.Board, o Options) ([]Rating, error) {
	moves := b.AppendMoves(nil)
	if len(moves) == 0 {
		return nil, fmt.Errorf("no move to rate: %w", havannah.ErrOver)
	}
	if o.Device == nil && o.Threads < 1 || o.Playouts < 1 {
		return nil, errors.New("no threads or no playouts to rate with")
	}
	ratings := make([]Rating, len(moves))
	for i, m := range moves {
		ratings[i].Move = m
	}
	var err error
	if o.Device != nil {
		err = o.Device.play(ctx, b, ratings, o.Seed, o.Playouts)
	} else {
		err = playOnThreads(ctx, b, ratings, o)
	}
	if err != nil {
		return nil, err
	}
	return ratings, nil
}

// playOnThreads adds the results of playouts after all moves.
func playOnThreads(ctx context.Context, b *havannah.Board, ratings []Rating, o Options) error {
	starts := make([]*Start, len(ratings))
	for i := range ratings {
		var err error
		if starts[i], err = NewStart(b, ratings[i].Move); err != nil {
			return err
		}
	}
	// Small enough to keep all threads busy to the end, and large enough that
	// sharing them out costs nothing.
	const chunk = 512
	perMove := (o.Playouts-1)/chunk + 1
	var next atomic.Uint64
	var mu sync.Mutex
	var threads sync.WaitGroup
	for range o.Threads {
		threads.Go(func() {
			var p Player
			for ctx.Err() == nil {
				job := next.Add(1) - 1
				i := job / perMove
				if i >= uint64(len(starts)) {
					return
				}
				first := job % perMove * chunk
				t := p.Play(starts[i], o.Seed, first, min(chunk, o.Playouts-first))
				mu.Lock()
				ratings[i].Add(&t)
				mu.Unlock()
			}
		})
	}
	threads.Wait()
	return context.Cause(ctx)
}
