package playout

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"gamebots/hexproto/havannah"
)

// Rating is a move and the results of the playouts after it.
type Rating struct {
	Move havannah.Move
	Tally
}

// Options say how much work a rating is.
type Options struct {
	Playouts uint64 // after each move
	Seed     uint64
	Threads  int     // of the CPU, unless there is
	Device   *Device // which plays all

	// Progress is told how many playouts after each move are done, often enough
	// for a person who waits. It may be nil.
	Progress func(done uint64)
}

// A round adds the results of the playouts of the numbers from first to first+n-1
// after each move.
type round func(ctx context.Context, add []Tally, first, n uint64) error

// Rate plays a number of random games after every legal move of a position and
// returns what came out, in the order of [havannah.Board.AppendMoves]. It is
// stopped through ctx, whose cause then is the error; what it returns is as if
// fewer playouts had been asked for, the same number after each move, or nothing
// if it had none of all moves.
func Rate(ctx context.Context, b *havannah.Board, o Options) ([]Rating, error) {
	moves := b.AppendMoves(nil)
	if len(moves) == 0 {
		return nil, fmt.Errorf("no move to rate: %w", havannah.ErrOver)
	}
	if o.Device == nil && o.Threads < 1 || o.Playouts < 1 {
		return nil, errors.New("no threads or no playouts to rate with")
	}
	var play round
	var games uint64 // of a round
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

// onThreads plays on a CPU, about a tenth of a second a round.
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
	// Small enough to keep all threads busy to the end, and large enough that
	// sharing them out costs nothing.
	const chunk = 512
	perMove := (n-1)/chunk + 1
	var next atomic.Uint64
	var mu sync.Mutex
	var players sync.WaitGroup
	for range threads {
		players.Go(func() {
			var p Player
			for ctx.Err() == nil {
				job := next.Add(1) - 1
				i := job / perMove
				if i >= uint64(len(starts)) {
					return
				}
				skip := job % perMove * chunk
				t := p.Play(starts[i], seed, first+skip, min(chunk, n-skip))
				mu.Lock()
				add[i].Add(&t)
				mu.Unlock()
			}
		})
	}
	players.Wait()
	return context.Cause(ctx)
}
