package playout

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"gamebots/hexproto/havannah"
	"gamebots/internal/parallel"
	"gamebots/internal/stats"
)

// Rating is a move and the results of its playouts.
type Rating struct {
	Move havannah.Move
	Tally
}

// Options configure a rating.
type Options struct {
	Playouts uint64 // after each move
	Seed     uint64
	Threads  int     // threads of the CPU; at least 1, unless there is a Device
	Device   *Device // plays all playouts; nil to play on the CPU

	// Progress is called with the number of playouts done after each move, several
	// times a second. It may be nil.
	Progress func(done uint64)
}

// round adds the results of the playouts with the numbers first to first+n-1 after each
// move.
type round func(ctx context.Context, add []Tally, first, n uint64) error

// Rate plays random games after every legal move of a position and returns their
// results, in the order of [havannah.Board.AppendMoves]. When ctx is done it stops and
// returns the cause of ctx. The ratings then are those of fewer playouts, the same number
// after each move, or nil if some move has none.
func Rate(ctx context.Context, b *havannah.Board, o Options) ([]Rating, error) {
	moves := b.AppendMoves(nil)
	if len(moves) == 0 {
		return nil, fmt.Errorf("no move to rate: %w", havannah.ErrOver)
	}
	if o.Device == nil && o.Threads < 1 || o.Playouts < 1 {
		return nil, errors.New("a rating needs at least one thread and one playout")
	}
	var play round
	var games uint64 // games of a round
	var err error
	if o.Device != nil {
		play, games, err = o.Device.rounds(b, moves, o.Seed)
	} else {
		play, games, err = onThreads(b, moves, o.Seed, o.Threads)
	}
	if err != nil {
		return nil, err
	}
	ratings := make([]Rating, len(moves))
	for i, m := range moves {
		ratings[i].Move = m
	}
	for done := uint64(0); done < o.Playouts; {
		n := min(games/uint64(len(moves))+1, o.Playouts-done)
		tallies := make([]Tally, len(moves))
		if err := play(ctx, tallies, done, n); err != nil {
			if done == 0 {
				ratings = nil
			}
			return ratings, err
		}
		for i := range tallies {
			ratings[i].Add(&tallies[i])
		}
		done += n
		if o.Progress != nil {
			o.Progress(done)
		}
	}
	return ratings, nil
}

// onThreads returns a round function that plays on the CPU, and the playouts of a round,
// which takes about a tenth of a second.
func onThreads(b *havannah.Board, moves []havannah.Move, seed uint64, threads int) (round, uint64, error) {
	starts := make([]*Start, len(moves))
	for i, m := range moves {
		var err error
		if starts[i], err = NewStart(b, m); err != nil {
			return nil, 0, err
		}
	}
	const gamesOfThread = 1 << 15
	return func(ctx context.Context, add []Tally, first, n uint64) error {
		return playOnThreads(ctx, starts, seed, threads, add, first, n)
	}, uint64(threads) * gamesOfThread, nil
}

func playOnThreads(ctx context.Context, starts []*Start, seed uint64, threads int, add []Tally, first, n uint64) error {
	// Small enough to keep all threads busy to the end, and large enough for the
	// overhead not to matter.
	const chunk = 512
	perMove := (n-1)/chunk + 1
	var next atomic.Int64
	var mu sync.Mutex
	// A player is on the stack of its goroutine: in one slice players would share cache
	// lines, which halves the speed of 16 threads.
	parallel.Each(threads, func(int) {
		var p Player
		for ctx.Err() == nil {
			task := int(next.Add(1)) - 1
			i := task / int(perMove)
			if i >= len(starts) {
				return
			}
			skip := uint64(task) % perMove * chunk
			t := p.Play(starts[i], seed, first+skip, min(chunk, n-skip))
			mu.Lock()
			add[i].Add(&t)
			mu.Unlock()
		}
	})
	return context.Cause(ctx)
}

// Tally counts the results of playouts, for the player who made the first move.
type Tally struct {
	Wins, Losses, Draws uint64
	Plies               uint64    // moves, the first one included
	Ends                [8]uint64 // playouts by the havannah.Structures that ended them
}

// Playouts returns the number of playouts.
func (t *Tally) Playouts() uint64 { return t.Wins + t.Losses + t.Draws }

// Score returns the mean result of a playout: 1 for a win, 1/2 for a draw.
func (t *Tally) Score() float64 {
	return (float64(t.Wins) + float64(t.Draws)/2) / float64(t.Playouts())
}

// Margin95 returns half the width of an approximate 95% confidence interval of the score. Two
// wins and two losses are added, so that few playouts do not look certain (A. Agresti and
// B. Coull, Approximate is better than "exact", 1998).
func (t *Tally) Margin95() float64 {
	n := float64(t.Playouts())
	p := (n*t.Score() + 2) / (n + 4)
	return stats.Z95 * math.Sqrt(p*(1-p)/(n+4))
}

// Add adds another tally.
func (t *Tally) Add(o *Tally) {
	t.Wins += o.Wins
	t.Losses += o.Losses
	t.Draws += o.Draws
	t.Plies += o.Plies
	for i, n := range o.Ends {
		t.Ends[i] += n
	}
}

// count counts games that ended after plies moves.
func (t *Tally) count(plies int, won havannah.Structures, games uint64) {
	switch {
	case won == 0:
		t.Draws += games
	case plies%2 == 1:
		t.Wins += games
	default:
		t.Losses += games
	}
	t.Plies += uint64(plies) * games
	t.Ends[won] += games
}

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
