package bench

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"gamebots/cudalib/havannahgpu"
	"gamebots/hexproto/havannah"
	"gamebots/solvers/playout"
)

// havannahWork is the work of bench havannah.
type havannahWork struct {
	// Random games from the empty board, on the CPU and on a GPU.
	sides []int
	games int // about how many per side, on a GPU

	// Rating all first moves of a side.
	side    int
	perMove []int // playouts after each move

	blocks []int // numbers of blocks of one thread each on a GPU, as Werner (2012) had it
	grid   havannahgpu.Grid
}

var fullHavannah = havannahWork{
	sides: []int{4, 5, 6, 8, 10, 13}, games: 60_000_000, side: 10, perMove: []int{10, 100, 1000},
	blocks: []int{8, 128, 512},
}

// onCPU measures random games, and the rating of moves by them beside the figures of Werner
// (2012).
func (w havannahWork) onCPU(ctx context.Context, emit func(Row)) error {
	if err := w.benchPlayouts(ctx, emit); err != nil {
		return err
	}
	return w.benchRating(ctx, emit)
}

// allThreads returns one thread, and as many as the machine has processors.
func allThreads() []int { return slices.Compact([]int{1, runtime.NumCPU()}) }

// benchPlayouts measures random games from the empty board.
func (w havannahWork) benchPlayouts(ctx context.Context, emit func(Row)) error {
	for _, side := range w.sides {
		b, err := havannah.New(side)
		if err != nil {
			return err
		}
		perMove := 300_000 / b.Grid().NumCells / side
		for _, threads := range allThreads() {
			if err := emitSpeed(emit, Row{Case: fmt.Sprintf("side %d, empty board", side), Threads: threads},
				float64(perMove*b.Grid().NumCells), "playouts/s", func() error {
					_, err := playout.Rate(ctx, b, playout.Options{Playouts: uint64(perMove), Threads: threads})
					return err
				}); err != nil {
				return err
			}
		}
	}
	return nil
}

// threadsRow is the row of rating all first moves by some playouts each, by the number of threads.
func (w havannahWork) threadsRow(perMove, threads int) Row {
	return Row{Case: fmt.Sprintf("side %d, all moves, %d playouts, threads", w.side, perMove), X: float64(threads)}
}

// playoutsRow is the row of rating all first moves, by the number of playouts.
func (w havannahWork) playoutsRow(perMove int) Row {
	return Row{Case: fmt.Sprintf("side %d, all moves, playouts a move", w.side), X: float64(perMove)}
}

// benchRating times the rating of all first moves beside the figures of Werner (2012): by the
// number of playouts, and the published ones by the number of threads too.
func (w havannahWork) benchRating(ctx context.Context, emit func(Row)) error {
	b, err := havannah.New(w.side)
	if err != nil {
		return err
	}
	for _, p := range wernerTimes() {
		r := w.playoutsRow(p.Playouts)
		if r.Threads = p.Threads; p.Playouts == 10 {
			r = w.threadsRow(p.Playouts, p.Threads)
		}
		r.Device = p.Device + " (2012)"
		emitAll(from("Werner (2012)", emit), r, figure{"time", p.Seconds, "s"})
	}
	for _, threads := range allThreads() {
		for _, perMove := range w.perMove {
			r := w.playoutsRow(perMove)
			r.Threads = threads
			if err := emitTime(emit, r, func() error {
				_, err := playout.Rate(ctx, b, playout.Options{Playouts: uint64(perMove), Threads: threads})
				return err
			}); err != nil {
				return err
			}
		}
	}
	return nil
}

// signHavannah signs ratings of positions of every side.
func signHavannah(ctx context.Context, method methods) error {
	h := method("")
	for side := havannah.MinSide; side <= havannah.MaxSide; side++ {
		b, err := havannah.New(side)
		if err != nil {
			return err
		}
		for _, m := range []havannah.Move{havannah.Move(b.Grid().NumCells / 2), havannah.Swap} {
			ratings, err := playout.Rate(ctx,
				b, playout.Options{Playouts: 8, Seed: uint64(side), Threads: runtime.NumCPU()})
			if err != nil {
				return err
			}
			sign(h, ratings)
			if err := b.Play(m); err != nil {
				return err
			}
		}
	}
	return nil
}
