package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"gamebots/cudalib"
	"gamebots/cudalib/havannahgpu"
	"gamebots/hexproto/havannah"
	"gamebots/solvers/playout"
)

// havannahWork is the work of bench havannah: random games from the empty board of a side.
type havannahWork struct {
	side     int
	cpu, gpu int // about how many games a run has
	perMove  int // games after each first move where all are rated, on a GPU
	// Launch configurations: ours, and the fastest one of P. Werner, Hochparallele Monte-Carlo-Evaluation auf CUDA,
	// HTWK Leipzig, 2012.
	grids []havannahgpu.Grid
}

var fullHavannah = havannahWork{
	side: 10, cpu: 30_000, gpu: 60_000_000, perMove: 100, grids: []havannahgpu.Grid{{}, {Blocks: 512, Threads: 1}},
}

// allThreads returns one thread, and as many as the machine has processors.
func allThreads() []int { return slices.Compact([]int{1, runtime.NumCPU()}) }

// speed emits the games a second, of about a number of them.
func (w havannahWork) speed(ctx context.Context, emit func(Row), games int, o playout.Options) error {
	b, err := havannah.New(w.side)
	if err != nil {
		return err
	}
	cells := b.Grid().NumCells
	o.Playouts = uint64(max(1, games/cells))
	return emitSpeed(emit, Row{Case: fmt.Sprintf("side %d, empty board", w.side), Threads: o.Threads},
		float64(o.Playouts)*float64(cells), "playouts/s", func() error {
			_, err := playout.Rate(ctx, b, o)
			return err
		})
}

func (w havannahWork) onCPU(ctx context.Context, emit func(Row)) error {
	for _, threads := range allThreads() {
		if err := w.speed(ctx, emit, w.cpu, playout.Options{Threads: threads}); err != nil {
			return err
		}
	}
	return nil
}

// onGPU measures the same, and the rating of all first moves with copies, by each launch configuration.
func (w havannahWork) onGPU(ctx context.Context, gpu *cudalib.Device, emit func(Row)) error {
	b, err := havannah.New(w.side)
	if err != nil {
		return err
	}
	for i, grid := range w.grids {
		d, err := playout.NewDevice(gpu, w.side, grid)
		if err != nil {
			return err
		}
		r := Row{Case: fmt.Sprintf("side %d, all moves, playouts a move", w.side), X: float64(w.perMove)}
		if i == 0 {
			err = w.speed(ctx, emit, w.gpu, playout.Options{Device: d})
		} else {
			r.Case = fmt.Sprintf("side %d, all moves, %d playouts, threads", w.side, w.perMove)
			r.X = float64(grid.Blocks * grid.Threads)
		}
		if err == nil {
			err = emitTime(emit, r, func() error {
				_, err := playout.Rate(ctx, b, playout.Options{Playouts: uint64(w.perMove), Device: d})
				return err
			})
		}
		if err := errors.Join(err, d.Close()); err != nil {
			return err
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
